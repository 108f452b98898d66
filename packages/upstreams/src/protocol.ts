import type { Adapter } from './contract';
import type { HttpClient } from './http-client';
import type { Kit } from './kit';
import type { RunFfmpeg } from './local-audio/run-ffmpeg';

/** The clients that protocols use. */
export interface Clients {
  http: HttpClient;
  /** For work that is done here. */
  runFfmpeg?: RunFfmpeg | undefined;
}

/** All that a protocol is handed. Those of this package import the functions of the kit by themselves. */
export interface Tools extends Clients {
  kit: Kit;
}

/** The part of an adapter that every protocol has, also one that serves no task. */
export type ProtocolDescription = Pick<
  Adapter,
  'protocol' | 'families' | 'hasTemplates' | 'fileRoles' | 'checkOptions' | 'lacks' | 'cancel' | 'probe'
>;

/** The default export of an adapter: `<protocol>/adapter.ts` here, the main file of a package elsewhere. */
export type CreateProtocol = (tools: Tools) => Adapter | ProtocolDescription;
