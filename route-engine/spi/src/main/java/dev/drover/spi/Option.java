package dev.drover.spi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares an option once: a component of a configuration record. Binding, validation, JSON Schema,
 * reference page and suggestions all come from it. The component's name is camel case, the option's
 * the same in snake case. Types: String, int, long, boolean, an enum, {@code List<String>}, {@code
 * Object} (any JSON), and another such record, whose options then belong to the outer one.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Option {

  /** One short sentence, shown in schemas and docs. */
  String value();

  /**
   * The default, as text. Empty: there is none, and the option is required unless the component is
   * nullable.
   */
  String defaultValue() default "";

  /** The least value of a number. */
  long min() default 0;

  /** The greatest value of a number. */
  long max() default Long.MAX_VALUE;

  /** Names of the values that a String may have; empty: any. */
  String[] allowed() default {};

  /** Whether the value must never be shown. */
  boolean secret() default false;
}
