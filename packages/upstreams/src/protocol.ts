import type { Adapter } from './contract';
import type { HttpClient } from './http-client';
import type { RunFfmpeg } from './local-audio/run-ffmpeg';
import type { StreamingClient } from './streaming-client';

/** The clients that protocols use. A process that starts nothing of a protocol may leave out that protocol's clients. */
export interface Clients {
  http: HttpClient;
  /** For answers that go on as they come. */
  streams?: StreamingClient | undefined;
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
