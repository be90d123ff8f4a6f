/** Two worker processes, each with one core. */
export const CLUSTER = "local-cluster[2,1,1024]";

const QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

/**
 * Settings under which small queries start quickly, and tables are shuffled between the workers.
 *
 * @param mark Stands on the command line of each worker.
 */
export function clusterConf(mark: string): Record<string, string> {
  return {
    "spark.driver.extraJavaOptions": QUICK_START,
    "spark.executor.extraJavaOptions": `${QUICK_START} -Dorderlens.mark=${mark}`,
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    // Files of a few rows are read together.
    "spark.sql.files.minPartitionNum": "1",
  };
}
