/**
 * What the hot parts cost, measured with JMH. From the root of the repository:
 *
 * <pre>
 * mvn -q -pl route-engine/benchmarks -am compile dependency:build-classpath -Dmdep.outputFile=target/cp
 * java -cp "$(cat route-engine/benchmarks/target/cp):route-engine/benchmarks/target/classes" \
 *   dev.drover.benchmarks.CsvToJson -p shape=ORDERS
 * </pre>
 */
@NullMarked
package dev.drover.benchmarks;

import org.jspecify.annotations.NullMarked;
