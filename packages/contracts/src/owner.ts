/** Whose work it is: a task or a caller, for example. What all work shares is shared out by it. */
export interface Owner {
  accountId: string;
  /** Work of a test key, or for an estimate: it costs its account nothing, so it yields to work that is paid for. */
  isTest?: boolean | undefined;
}

/** Work of the service itself, all of which counts together. */
export const NOBODY: Owner = { accountId: '' };
