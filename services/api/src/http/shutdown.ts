/** What requests can learn of the end of their process. */
export interface Shutdown {
  /** Connections that outlasted the drain are being cut: whoever loses one from here on has not left by himself. */
  cutsConnections: boolean;
}

export function createShutdown(): Shutdown {
  return { cutsConnections: false };
}
