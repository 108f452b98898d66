import {
  type Fault,
  type LoadedMedia,
  type MusicRequest,
  message,
  type Output,
  type StartOutcome,
} from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, FileOutline, Lack, Sighting, StartRequest } from '../contract';
import { faultDetail } from '../fault-detail';
import { fileLack, lack } from '../lacks';
import { readMusicCall, readMusicRequest } from '../music-call';
import { doneWithFacts, trackFacts } from '../music-result';
import type { Clients } from '../protocol';
import { cannotCarry, refused } from '../vendor-call';
import { editOf } from './edit';
import { READ_TYPES, readFormat, WRITTEN } from './formats';
import { type RunFfmpeg, type SoundWork, workOnSound } from './run-ffmpeg';
import { TEMPO_RATE, TEMPO_SECONDS, tempoOf } from './tempo';

const OPTIONS: OptionRules = { bitrate_kbps: { kind: 'integer', min: 64, max: 320 } };
const BITRATE_KBPS = 192;
/** Some 20 minutes of uncompressed sound. It is in memory, as its source is. */
const RESULT_MAX_BYTES = 256 * 1024 * 1024;

const NO_VENDOR: Sighting = { reachable: true, key: 'unproved', detail: 'nobody to ask: the work is done here' };
const NO_FFMPEG: Fault = { code: 'operator', detail: 'not done: this process has no ffmpeg' };

/**
 * Does the work that needs no vendor: crop, removal of a part, speed with the pitch kept, and fades, in any format that is asked
 * for, and the tempo, on the track that the catalogue entry had fetched, whoever made it. `runFfmpeg` is absent in processes that
 * do no work.
 *
 * A start changes nothing outside, so that it may be done again. A channel's `base_url`, `api_key` and names of models are
 * not looked at. The result has no vendor's id: a vendor needs the file itself to go on from it.
 */
export default function createLocalAudio({ runFfmpeg }: Clients): Adapter {
  return {
    protocol: 'local-audio',
    families: ['music'],
    afterLostAnswer: 'idempotent',
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: async () => NO_VENDOR,
    lacks: ({ request, files }) => localLack(readMusicRequest(request), files),
    start: (request, context) => start(runFfmpeg, request, context),
  };
}

const READABLE = { contentTypes: READ_TYPES };
const OPERATIONS: ReadonlySet<string> = new Set(['crop', 'remove', 'adjust_speed', 'fade', 'bpm']);

function localLack({ operation }: MusicRequest, files: readonly FileOutline[]): Lack | undefined {
  return OPERATIONS.has(operation)
    ? fileLack(files, { audio: READABLE })
    : lack(message('takes_no_operation', { name: operation }));
}

async function start(
  runFfmpeg: RunFfmpeg | undefined,
  request: StartRequest,
  context: CallContext,
): Promise<StartOutcome> {
  const { music, audio } = readMusicCall(request, context);
  if (audio === undefined) return cannotCarry(lack(message('takes_no_unfetched_tracks')));
  const format = readFormat(audio.contentType);
  if (format === undefined) throw new TypeError(`a song of type ${audio.contentType}`);
  if (music.operation === 'bpm') return hearTempo(runFfmpeg, { bytes: audio.bytes, demuxer: format.demuxer }, context);
  const edit = editOf(music, lengthOf(audio.seconds, music.source?.seconds));
  if (edit === undefined) return cannotCarry(lack(message('takes_no_empty_results')));
  const { signal, endpoint } = context;
  const bitrateKbps = bitrateOf(endpoint.options['bitrate_kbps']);
  const written = WRITTEN[music.audioFormat ?? format.kept];
  if (edit.seconds * written.bytesPerSecond(bitrateKbps) > RESULT_MAX_BYTES)
    return cannotCarry(lack(message('takes_no_result_length')));
  if (runFfmpeg === undefined) return refused(NO_FFMPEG);
  const worked = await workOnSound(runFfmpeg, {
    input: { bytes: audio.bytes, demuxer: format.demuxer },
    graph: edit.graph,
    output: written.arguments(bitrateKbps),
    maxBytes: RESULT_MAX_BYTES,
    context,
  });
  if (!worked.ok) return refused(failure(worked, signal));
  const { title, lyrics, tags } = music.source ?? {};
  const facts = trackFacts({ title: music.title ?? title, lyrics, tags });
  return {
    kind: 'done',
    outputs: [
      { role: 'audio', contentType: written.contentType, bytes: worked.bytes, facts },
      ...coverIn(request.media),
    ],
    usage: { seconds: Math.round(edit.seconds) },
  };
}

const NO_BEAT: Fault = {
  code: 'generation_failed',
  message: message('no_beat'),
  detail: 'no beat was heard in the sound',
};

/** The beats a minute, of the beginning of the track. */
async function hearTempo(
  runFfmpeg: RunFfmpeg | undefined,
  input: SoundWork['input'],
  context: CallContext,
): Promise<StartOutcome> {
  if (runFfmpeg === undefined) return refused(NO_FFMPEG);
  const worked = await workOnSound(runFfmpeg, {
    input,
    graph: `[0:a:0]atrim=0:${TEMPO_SECONDS}[out]`,
    maxBytes: RESULT_MAX_BYTES,
    context,
    output: ['-ac', '1', '-ar', String(TEMPO_RATE), '-f', 'f32le'],
  });
  if (!worked.ok) return refused(failure(worked, context.signal));
  const samples = Float32Array.from({ length: Math.floor(worked.bytes.length / 4) }, (_, index) =>
    worked.bytes.readFloatLE(index * 4),
  );
  const bpm = tempoOf(samples);
  return bpm === undefined ? refused(NO_BEAT) : doneWithFacts({ bpm });
}

/** The cover of the track, which its edits keep. */
function coverIn(media: readonly LoadedMedia[]): Output[] {
  const image = media.find(({ role, bytes }) => role === 'image' && bytes.length > 0);
  return image === undefined ? [] : [{ role: 'cover', contentType: image.contentType, bytes: image.bytes }];
}

/** As measured when it was fetched, else as it is stored. */
function lengthOf(...lengths: (number | undefined)[]): number {
  const known = lengths.find((seconds) => seconds !== undefined);
  if (known === undefined) throw new TypeError('not a music request: the length of the song is missing');
  return known;
}

function bitrateOf(option: unknown): number {
  return typeof option === 'number' ? option : BITRATE_KBPS;
}

/**
 * Stopped, nothing is left half done. What a program that ran makes of one track says nothing about the next one, which
 * callers could otherwise keep from everybody; a program that is missing or does not come to an end does.
 */
function failure({ why, ranToItsEnd }: { why: string; ranToItsEnd: boolean }, signal: AbortSignal): Fault {
  if (signal.aborted) return { code: 'not_accepted', detail: 'not done: stopped' };
  return { code: ranToItsEnd ? 'generation_failed' : 'upstream_fault', detail: faultDetail(why, { apiKey: '' }) };
}
