import { isJsonObject, type JsonObject, type MediaReference, type MusicSource } from '@mediagate/contracts';
import type { ParsedInput, RejectedInput, SourceTask } from '../entry';
import { given } from '../given';
import { reject } from '../rules';
import { COVER_LIMITS, SOUND_LIMITS } from './sound';

/** How a body names the track. */
export interface TrackInput {
  task_id: string;
  audio_index: number;
}

/** Finds faults that show once the track is known. */
type TrackCheck<Input> = (input: Input, track: MusicSource) => RejectedInput | undefined;

/**
 * The source of an operation on a track: `source` and `bindSource` of its model. The track's vendor ids, our copy of it and
 * its length go into the input as `source`, where no caller can put anything, because the schema has no such field.
 *
 * @param check what else must hold of the track.
 */
export function onTrack<Input extends TrackInput>(check: TrackCheck<Input> = () => undefined) {
  return {
    source: ({ task_id }: Input) => ({ field: 'task_id', taskId: task_id }),
    madeBy: (input: Input) => boundTrack(input as object).source?.channelId,
    callersPart: (input: Input) => (boundTrack(input as object).source?.callersPart === 'none' ? 'none' : 'some'),
    bindSource(input: Input, task: SourceTask): ParsedInput | RejectedInput {
      const track = findTrack(input, task);
      if ('ok' in track) return track;
      const rejected = check(input, track);
      return (
        rejected ?? { ok: true, input: { ...(input as object), source: { ...track } } as JsonObject, warnings: [] }
      );
    },
  };
}

/** The source of an operation that cuts or fades the track, and makes nothing: a recording of the caller's stays one. */
export function onEditedTrack<Input extends TrackInput>(check?: TrackCheck<Input>) {
  return {
    ...onTrack(check),
    callersPart: (input: Input) => boundTrack(input as object).source?.callersPart,
    media: trackSound,
  };
}

/** The track that `bindSource` put into the input. */
export function boundTrack(input: object): { source?: MusicSource } {
  return 'source' in input ? { source: input.source as MusicSource } : {};
}

/**
 * The track as files, for operations that need no vendor: they work on the sound itself, and the result keeps the cover.
 */
function trackSound(input: object): MediaReference[] {
  const { audioUrl, imageUrl } = boundTrack(input).source ?? {};
  if (audioUrl === undefined) return [];
  const sound: MediaReference = { field: 'task_id', role: 'audio', url: audioUrl, ...SOUND_LIMITS };
  if (imageUrl === undefined) return [sound];
  return [sound, { field: 'task_id', role: 'image', url: imageUrl, ...COVER_LIMITS, optional: true }];
}

/** The track's sound alone, for whoever can do without a vendor; a vendor that made it needs none. */
export function trackSoundIfThere(input: object): MediaReference[] {
  const sounds = trackSound(input).filter(({ role }) => role === 'audio');
  return sounds.map((sound) => ({ ...sound, optional: true }));
}

function findTrack({ audio_index: index }: TrackInput, task: SourceTask): MusicSource | RejectedInput {
  if (task.kind !== 'music') return reject('task_id', 'must_be_music_task');
  if (task.status !== 'completed') return reject('task_id', 'must_be_completed_task');
  const tracks = task.result?.['music'];
  if (!Array.isArray(tracks) || tracks.length === 0) {
    return reject('task_id', 'must_be_task_with_track');
  }
  const track = tracks[index - 1];
  if (!isJsonObject(track)) return reject('audio_index', 'must_be_track_of_task', { limit: tracks.length });
  return toSource(track, task);
}

function toSource(track: JsonObject, { id, upstream, callersPart }: SourceTask): MusicSource | RejectedInput {
  const { audio_id: trackId, audio_url: audioUrl, image_url: imageUrl, duration, title, lyrics, tags } = track;
  if (typeof audioUrl !== 'string' || typeof duration !== 'number') {
    return reject('audio_index', 'must_be_known_track');
  }
  return {
    taskId: id,
    channelId: upstream?.channelId ?? '',
    ...(upstream?.externalId === undefined ? {} : { jobId: upstream.externalId }),
    audioUrl,
    seconds: duration,
    ...(callersPart && { callersPart }),
    ...given({
      trackId: wordsIn(trackId),
      title: wordsIn(title),
      lyrics: wordsIn(lyrics),
      tags: wordsIn(tags),
      imageUrl: wordsIn(imageUrl),
    }),
  };
}

/** A track has an empty text for what it lacks. */
function wordsIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
