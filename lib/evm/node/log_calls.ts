/** Method for logs. */
export const GET_LOGS = "eth_getLogs";
