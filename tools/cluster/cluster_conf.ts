/** Two worker processes, each with one core. */
export const CLUSTER = "local-cluster[2,1,1024]";

const SMALL = "-XX:+UseSerialGC";
/** Workers run little code once; the driver plans for a minute, and is worth compiling well. */
const QUICK_START = `${SMALL} -XX:TieredStopAtLevel=1`;

/**
 * Settings under which small queries start quickly, and tables are shuffled between the workers.
 *
 * @param mark Stands on the command line of each worker.
 */
export function clusterConf(mark: string): Record<string, string> {
  return {
    "spark.driver.extraJavaOptions": SMALL,
    "spark.executor.extraJavaOptions": `${QUICK_START} -Dorderlens.mark=${mark}`,
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    // Planning is most of the time: rules for what no view has, and checks of the rules themselves.
    "spark.sql.variant.pushVariantIntoScan": "false",
    "spark.sql.optimizer.runtime.bloomFilter.enabled": "false",
    "spark.sql.lightweightPlanChangeValidation": "false",
    // Files of a few rows are read together.
    "spark.sql.files.minPartitionNum": "1",
  };
}
