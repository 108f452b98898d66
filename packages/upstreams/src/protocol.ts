import type { Adapter } from './contract';
import type { HttpClient } from './http-client';
import type { RunFfmpeg } from './local-audio/run-ffmpeg';

/** The clients that protocols use. */
export interface Clients {
  http: HttpClient;
  /** For work that is done here. */
  runFfmpeg?: RunFfmpeg | undefined;
}

/** The part of an adapter that every protocol has, also one that serves no task. */
export type ProtocolDescription = Pick<
  Adapter,
  'protocol' | 'families' | 'hasTemplates' | 'fileRoles' | 'checkOptions' | 'lacks' | 'cancel' | 'probe'
>;

/** The default export of `<protocol>/adapter.ts`. */
export type CreateProtocol = (clients: Clients) => Adapter | ProtocolDescription;
