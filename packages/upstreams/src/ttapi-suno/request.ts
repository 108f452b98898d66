import { type JsonObject, type MusicRequest, message } from '@mediagate/contracts';
import type { Endpoint, Lack } from '../contract';
import { object, present, text } from '../json-guards';
import { type FieldLimits, fieldLack, lack } from '../lacks';
import { ownTrack, versionName } from '../music-call';

type Operation = MusicRequest['operation'];

const VERSIONS = { v5: 'chirp-v5', 'v5.5': 'chirp-v5-5' } as const;

/** The last part of each operation's path; the channel's option `paths` may name another. */
const PATHS: Readonly<Record<Exclude<Operation, 'fade'>, string>> = {
  create: 'music',
  extend: 'extend',
  cover: 'cover',
  upload: 'upload',
  replace: 'replace-section',
  crop: 'crop',
  remove: 'remove-section',
  adjust_speed: 'adjust-speed',
  stems: 'stems',
  remaster: 'remaster',
  sample: 'sample',
  sounds: 'sounds',
  lyrics: 'lyrics',
  concat: 'concat',
  midi: 'gen-midi',
  bpm: 'gen-bpm',
  aligned_lyrics: 'alignedLyrics',
};

const FADES = { fade_in: 'fade-in', fade_out: 'fade-out' } as const;

/** Names that the option `paths` may hold. */
export const STEPS: readonly string[] = [...Object.keys(PATHS), ...Object.keys(FADES)];

/** Operations that may be `false` in the option `edits`: all but tracks made of words. */
export const EDITS: readonly string[] = [...Object.keys(PATHS), 'fade'].filter((name) => name !== 'create');

/** Our stem types as the vendor's, whose list has one for the voice. */
const STEMS: Readonly<Record<string, string>> = {
  lead_vocal: 'lead_vocal',
  vocals: 'lead_vocal',
  backing_vocals: 'backing_vocals',
  drums: 'drum_kit',
  bass: 'bass',
  guitar: 'guitar',
  keyboard: 'keyboards',
  strings: 'string_section',
  brass: 'brass_section',
  woodwinds: 'woodwinds',
  percussion: 'percussion',
  synth: 'synth',
  fx: 'sound_effects',
};

const DESCRIPTION = { maxCharacters: 500 } as const;

/** Limits of all operations but those in `LIMITS`. */
const MUSIC_LIMITS: FieldLimits<MusicRequest> = {
  description: DESCRIPTION,
  seconds: { lack: 'takes_no_wanted_length', never: true },
  audioFormat: { lack: 'takes_no_result_format', oneOf: ['mp3'] },
  stemType: { lack: 'takes_no_stem_type', oneOf: Object.keys(STEMS) },
};
/** A new track is converted to the wanted format here, and its length can be asked for. */
const LIMITS: { readonly [Name in Operation]?: FieldLimits<MusicRequest> } = { create: { description: DESCRIPTION } };

/** The part of a request that the vendor cannot be asked for; undefined: none. */
export function ttapiLack(music: MusicRequest, endpoint: Endpoint): Lack | undefined {
  const { operation, source, fadeIn = 0, fadeOut = 0 } = music;
  const edits = object(endpoint.options['edits']);
  if (edits[operation] === false) return lack(message('takes_no_operation', { name: operation }));
  if (isForeign(music, endpoint)) {
    if (OWN_ONLY.has(operation) || edits['upload'] === false) return NOT_OURS;
    if ((source?.seconds ?? 0) > UPLOAD_MAX_SECONDS) return lack(message('takes_no_long_tracks'), 'source');
  }
  if (operation === 'fade' && fadeIn > 0 && fadeOut > 0) return lack(message('takes_no_two_fades'), 'fadeOut');
  return fieldLack(music, LIMITS[operation] ?? MUSIC_LIMITS);
}

const LYRICS_MAX_CHARS = 5000;

/** How a caller learns that a track must be one of this vendor's. */
export const NOT_OURS = lack(message('takes_no_foreign_tracks'), 'source');

const UPLOAD_MAX_SECONDS = 480;
/** The vendor knows the words of its own tracks alone; the other operations need no vendor, and a handed-over copy loses quality. */
const OWN_ONLY: ReadonlySet<Operation> = new Set([
  ...(['aligned_lyrics', 'bpm'] as const),
  ...(['crop', 'remove', 'fade', 'adjust_speed'] as const),
]);

/** Whether the job works on a track that the vendor has to be given first. */
export function isForeign(music: MusicRequest, endpoint: Endpoint): boolean {
  return music.source !== undefined && ownTrack(music, endpoint) === undefined;
}

export interface VendorStep {
  path: string;
  body: JsonObject;
}

/**
 * The call that an operation is. The names of fields that the vendor may not share with its documentation can be changed by
 * the channel's option `fields`, as `{ sample.start_s: chop_start_s }`.
 */
export function vendorStep(music: MusicRequest, endpoint: Endpoint): VendorStep {
  const step = music.operation === 'fade' ? fadeStep(music) : music.operation;
  const standard = step === 'fade_in' || step === 'fade_out' ? FADES[step] : PATHS[step];
  const path = text(object(endpoint.options['paths'])[step]) ?? standard;
  const names = object(endpoint.options['fields']);
  const fields = Object.entries(fieldsOf(music, endpoint));
  const body = Object.fromEntries(fields.map(([name, value]) => [text(names[`${step}.${name}`]) ?? name, value]));
  return { path: `/suno/v1/${path}`, body };
}

function fadeStep({ fadeIn = 0 }: MusicRequest): keyof typeof FADES {
  return fadeIn > 0 ? 'fade_in' : 'fade_out';
}

function fieldsOf(music: MusicRequest, endpoint: Endpoint): JsonObject {
  const { operation, start, end, continueAt, audioUrl, prompt } = music;
  const mv = versionName(music, endpoint, VERSIONS);
  const onTrack = { music_id: ownTrack(music, endpoint) };
  switch (operation) {
    case 'create':
      return present({ mv, ...modeFields(music), duration: music.seconds });
    case 'extend':
      return present({ ...onTrack, continue_at: continueAt, mv, ...modeFields(music) });
    case 'cover':
      return present({ ...onTrack, mv, ...modeFields(music) });
    case 'sample':
      return present({ ...onTrack, start_s: start, end_s: end, mv, ...modeFields(music) });
    case 'upload':
      // The answer has the track's id; that of a job without waiting is not described.
      return present({ audio_url: audioUrl, is_async: false });
    case 'replace':
      return present({ ...onTrack, infill_start_s: start, infill_end_s: end, mv, ...replacementFields(music) });
    case 'crop':
    case 'remove':
      return present({ ...onTrack, crop_start_s: start, crop_end_s: end });
    case 'fade':
      return present({ ...onTrack, fade_time_s: music.fadeIn || music.fadeOut, title: titleOf(music) });
    case 'adjust_speed':
      return present({ ...onTrack, speed_multiplier: music.speed, keep_pitch: true, title: titleOf(music) });
    case 'stems':
      return present({ ...onTrack, stem_type: music.stemType && STEMS[music.stemType] });
    case 'remaster':
      return present({ ...onTrack, mv });
    case 'sounds':
      return present({ mv, type: music.soundType, bpm: music.bpm, ...soundFields(music) });
    case 'lyrics':
      return present({ prompt, lyrics_model: music.lyricsModel });
    case 'concat':
    case 'midi':
    case 'bpm':
    case 'aligned_lyrics':
      return present(onTrack);
    default:
      return operation satisfies never;
  }
}

/** The description for lyrics where the caller leaves everything to the vendor. */
const UNDESCRIBED_TRACK = 'a song';

const GENDERS = { male: 'Male', female: 'Female' } as const;

/** The fields that say how a track is to be. */
function modeFields(music: MusicRequest): JsonObject {
  const custom = music.custom === true;
  const { instrumental = false } = music;
  const prompt = music.prompt ?? keptLyrics(music);
  // The vendor sings nothing without lyrics, which it makes of what it gets for them.
  const madeUp = custom && !instrumental && prompt === undefined;
  return present<JsonObject>({
    custom,
    instrumental,
    gpt_description_prompt: music.description,
    prompt: madeUp ? (music.title ?? music.tags ?? UNDESCRIBED_TRACK) : prompt,
    title: music.title,
    tags: music.tags,
    negative_tags: music.negativeTags,
    style_weight: music.styleWeight,
    weirdness_constraint: music.weirdness,
    audio_weight: music.audioWeight,
    auto_lyrics: madeUp ? true : music.autoLyrics,
    vocal_gender: music.vocalGender && GENDERS[music.vocalGender],
  });
}

/** A cover is sung in the words of its track unless it brings its own. */
function keptLyrics({ operation, custom, instrumental, source }: MusicRequest): string | undefined {
  if (operation !== 'cover' || custom !== true || instrumental === true) return undefined;
  const { lyrics = '' } = source ?? {};
  return lyrics !== '' && lyrics.length <= LYRICS_MAX_CHARS ? lyrics : undefined;
}

function replacementFields({ prompt, infillLyrics, title, tags, negativeTags }: MusicRequest): JsonObject {
  return present<JsonObject>({ prompt, infill_lyrics: infillLyrics, title, tags, negative_tags: negativeTags });
}

/** The vendor's list of keys leaves out E; in words it is understood. */
function soundFields({ prompt, key }: MusicRequest): JsonObject {
  if (key !== 'E' && key !== 'Em') return present<JsonObject>({ sound: prompt, key });
  return { sound: `${prompt}, in the key of E ${key === 'E' ? 'major' : 'minor'}` };
}

/** The vendor wants one for what it makes of a track. */
function titleOf({ title, source }: MusicRequest): string {
  return title ?? source?.title ?? 'Song';
}
