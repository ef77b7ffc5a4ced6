package dev.drover.bench.lab;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may see whom. Maven's modules keep most of it; these rules keep the rest, and say it. */
@AnalyzeClasses(packages = "dev.drover", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String SPI = "dev.drover.spi..";
  private static final String FORMATS = "dev.drover.formats..";
  private static final String TRANSFORMS = "dev.drover.transforms..";
  private static final String RUNTIME = "dev.drover.runtime..";
  private static final String TESTKIT = "dev.drover.testkit..";
  private static final String CONNECTORS = "dev.drover.connectors..";
  private static final String SCHEMAS = "dev.drover.toolschemas..";
  private static final String MCP = "dev.drover.mcp..";
  private static final String CLI = "dev.drover.cli..";
  private static final String BENCH = "dev.drover.bench..";
  private static final String JDK = "java..";
  private static final String NULLNESS = "org.jspecify..";

  @ArchTest
  static final ArchRule spiSeesOnlyJSpecify =
      classes()
          .that()
          .resideInAPackage(SPI)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(SPI, JDK, NULLNESS);

  @ArchTest
  static final ArchRule formatsSeeOnlyTheSpi =
      noClasses()
          .that()
          .resideInAPackage(FORMATS)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.drover..").and(not(resideInAnyPackage(SPI, FORMATS))));

  @ArchTest
  static final ArchRule transformsSeeOnlySpiAndFormats =
      noClasses()
          .that()
          .resideInAPackage(TRANSFORMS)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.drover..")
                  .and(not(resideInAnyPackage(SPI, FORMATS, TRANSFORMS))));

  @ArchTest
  static final ArchRule connectorsSeeOnlySpiAndFormats =
      noClasses()
          .that()
          .resideInAPackage(CONNECTORS)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.drover..")
                  .and(not(resideInAnyPackage(SPI, FORMATS, CONNECTORS))));

  @ArchTest
  static final ArchRule connectorsDoNotSeeEachOther =
      slices().matching("dev.drover.connectors.(*)..").should().notDependOnEachOther();

  @ArchTest
  static final ArchRule connectorsShowOnlyTheirConnector =
      classes()
          .that()
          .resideInAPackage(CONNECTORS)
          .and()
          .arePublic()
          .should()
          .haveSimpleNameEndingWith("Connector");

  @ArchTest
  static final ArchRule runtimeSeesOnlySpiFormatsAndTransforms =
      noClasses()
          .that()
          .resideInAPackage(RUNTIME)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.drover..")
                  .and(not(resideInAnyPackage(SPI, FORMATS, TRANSFORMS, RUNTIME))));

  @ArchTest
  static final ArchRule testkitSeesNoConnector =
      noClasses()
          .that()
          .resideInAPackage(TESTKIT)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.drover..")
                  .and(not(resideInAnyPackage(SPI, FORMATS, TRANSFORMS, RUNTIME, TESTKIT))));

  @ArchTest
  static final ArchRule schemasAreALeaf =
      noClasses()
          .that()
          .resideInAPackage(SCHEMAS)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.drover..").and(not(resideInAPackage(SCHEMAS))));

  @ArchTest
  static final ArchRule serverSeesNoConnector =
      noClasses()
          .that()
          .resideInAnyPackage(MCP, CLI)
          .should()
          .dependOnClassesThat(resideInAnyPackage(CONNECTORS, TESTKIT));

  @ArchTest
  static final ArchRule nothingSeesTheBench =
      noClasses()
          .that()
          .resideOutsideOfPackage(BENCH)
          .should()
          .dependOnClassesThat(resideInAPackage(BENCH));

  @ArchTest
  static final ArchRule onlyTheServerAndTheLabLog =
      noClasses()
          .that()
          .resideOutsideOfPackages(MCP, CLI)
          .should()
          .dependOnClassesThat(resideInAPackage("ch.qos.logback.."));

  @ArchTest
  static final ArchRule mcpObjectsStayInTheServer =
      noClasses()
          .that()
          .resideOutsideOfPackages(MCP, CLI)
          .should()
          .dependOnClassesThat(resideInAPackage("io.modelcontextprotocol.."));
}
