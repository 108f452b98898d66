/** What requests can learn of the end of their process. */
export interface Shutdown {
  /** Connections that outlasted the drain are being cut: whoever loses one from here on has not left by himself. */
  cutsConnections: boolean;
}

export function createShutdown(): Shutdown {
  return { cutsConnections: false };
}

/** The process ended before the answer did, and has cut the connection. */
export class CutOffError extends Error {
  constructor() {
    super('the process cut the connection at its end');
    this.name = 'CutOffError';
  }
}
