import type { MusicTools } from '../music/music-tools';
import type { NewTrack, Track } from '../music/track';
import type { Lyrics } from '../music/write-lyrics';
import type { Call } from '../vendor-call/contract';
import type { SunoapiRequest } from './fields';
import type { TaskKind } from './jobs';

/** The results that a task is to bring. */
export interface Made {
  tracks: NewTrack[];
  lyrics?: Lyrics[];
  parentMusicId?: string;
  stemNames?: string[];
}

/** Tools that an operation may use while it checks its request. */
export interface Desk {
  call: Call;
  tools: MusicTools;
  /** The track of an `audioId`, and of that task where one is named; throws the vendor's refusal when there is none. */
  find(audioId: string | undefined, taskId?: string): Track;
}

/** One path that starts a task. */
export interface Operation {
  /** Behind `/api/v1/`. */
  path: string;
  kind: TaskKind;
  operationType: string;
  fields: Record<string, object>;
  required: (keyof SunoapiRequest)[];
  /** Checks what no single field can tell, and says what is to come; throws the vendor's refusal. */
  make(request: SunoapiRequest, desk: Desk): Made | Promise<Made>;
}
