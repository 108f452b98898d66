/** Tells requests that their process is ending. */
export interface Shutdown {
  /** Connections that outlasted the drain are being cut: a caller who loses one from now on has not left on their own. */
  cutsConnections: boolean;
}

export function createShutdown(): Shutdown {
  return { cutsConnections: false };
}
