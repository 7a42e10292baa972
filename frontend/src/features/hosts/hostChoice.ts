/** Host under suspicion and the healthy hosts to compare it with; absent: chosen by the page. */
export type HostChoice = { bad?: string | undefined; good?: string[] | undefined }
