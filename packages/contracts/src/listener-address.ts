/** Where a worker brings the answer to one task, whose caller waits for it in an API process. The task's row keeps it. */
export interface ListenerAddress {
  url: string;
  /** Good for this one task, until audio was received. */
  token: string;
}
