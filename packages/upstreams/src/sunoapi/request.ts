import { type JsonObject, type MusicRequest, message } from '@mediagate/contracts';
import type { Endpoint, Lack } from '../contract';
import { beginning, present, text } from '../json-guards';
import { type FieldLimits, fieldLack, lack } from '../lacks';
import { ownTrack, versionName } from '../music-call';
import { fullLyrics } from './full-lyrics';
import { STEM_TYPES, separationOf } from './stems';

const VERSIONS = { v5: 'V5', 'v5.5': 'V5_5' } as const;

/** The vendor wants an address to report to. Where it cannot reach us nothing is there: jobs are asked about. */
const NOBODY = 'https://callback.invalid/';

const DESCRIPTION_MAX_CHARS = 500;
const UPLOAD_MAX_SECONDS = 480;
/** The length of a part that is sung anew; the part is also at most half of its track. */
const REPLACED_SECONDS = { min: 6, max: 60 };

const NO_LENGTH = { lack: 'takes_no_choice_of_length', never: true } as const;
const AS_WRITTEN = { lack: 'takes_no_rewritten_lyrics', neverIs: true } as const;
const SHORT = { maxCharacters: DESCRIPTION_MAX_CHARS } as const;
const MUSIC_LIMITS: FieldLimits<MusicRequest> = { seconds: NO_LENGTH, autoLyrics: AS_WRITTEN, description: SHORT };

/** The operations that the vendor has, each with the limits of its fields. */
const LIMITS: { readonly [Name in MusicRequest['operation']]?: FieldLimits<MusicRequest> } = {
  create: MUSIC_LIMITS,
  cover: MUSIC_LIMITS,
  extend: { ...MUSIC_LIMITS, description: { lack: 'takes_no_described_extensions', never: true } },
  replace: {},
  stems: { stemType: { lack: 'takes_no_stem_type', oneOf: STEM_TYPES } },
  aligned_lyrics: {},
  sounds: { version: { lack: 'takes_no_sound_version', neverIs: 'v5.5' }, prompt: SHORT },
  lyrics: { lyricsModel: { lack: 'takes_no_lyrics_model', never: true } },
};

/** The part of a request that the vendor cannot be asked for; undefined: none. */
export function sunoApiLack(music: MusicRequest, endpoint: Endpoint): Lack | undefined {
  const limits = LIMITS[music.operation];
  if (limits === undefined) return lack(message('takes_no_operation', { name: music.operation }));
  return fieldLack(music, limits) ?? sourceLack(music, endpoint);
}

/** An extension of the vendor's own track and a cover go by other ways than operations that take its own tracks alone. */
function sourceLack(music: MusicRequest, endpoint: Endpoint): Lack | undefined {
  switch (music.operation) {
    case 'cover':
      return uploadLack(music);
    case 'extend':
      return extendsOwn(music, endpoint) ? undefined : uploadLack(music);
    case 'replace':
      return ownLack(music, endpoint) ?? replacementLack(music);
    case 'stems':
    case 'aligned_lyrics':
      return ownLack(music, endpoint);
    default:
      return undefined;
  }
}

function uploadLack({ source }: MusicRequest): Lack | undefined {
  return (source?.seconds ?? 0) > UPLOAD_MAX_SECONDS ? lack(message('takes_no_long_tracks'), 'source') : undefined;
}

function ownLack(music: MusicRequest, endpoint: Endpoint): Lack | undefined {
  const known = ownTrack(music, endpoint) !== undefined && music.source?.jobId !== undefined;
  return known ? undefined : lack(message('takes_no_foreign_tracks'), 'source');
}

function replacementLack(music: MusicRequest): Lack | undefined {
  const { start = 0, end = 0, source, tags, prompt, infillLyrics } = music;
  const seconds = end - start;
  const { min, max } = REPLACED_SECONDS;
  if (seconds < min || seconds > Math.min(max, (source?.seconds ?? 0) / 2)) {
    return lack(message('takes_no_replacement_length', { seconds }), 'end');
  }
  if ((infillLyrics ?? prompt) === undefined)
    return lack(message('takes_no_replacement_without_lyrics'), 'infillLyrics');
  if (tags === undefined) return lack(message('takes_no_replacement_without_tags'), 'tags');
  return titled(music).title === undefined ? lack(message('takes_no_replacement_without_title'), 'title') : undefined;
}

export interface VendorStep {
  path: string;
  body: JsonObject;
}

/** The call that an operation is; only for what is offered. */
export function vendorStep(music: MusicRequest, endpoint: Endpoint, callbackUrl: string | undefined): VendorStep {
  const { operation, source, prompt } = music;
  const { trackId: audioId, jobId: taskId, audioUrl: uploadUrl } = source ?? {};
  const callBackUrl = text(endpoint.options['callback_url']) ?? callbackUrl ?? NOBODY;
  const common = { model: versionName(music, endpoint, VERSIONS), callBackUrl };
  switch (operation) {
    case 'create':
      return { path: '/generate', body: present({ ...common, ...musicFields(music) }) };
    case 'cover':
      return { path: '/generate/upload-cover', body: present({ ...common, uploadUrl, ...musicFields(titled(music)) }) };
    case 'extend':
      return extension(music, endpoint, common);
    case 'replace':
      return {
        path: '/generate/replace-section',
        body: present({ taskId, audioId, callBackUrl, ...replacementFields(music) }),
      };
    case 'stems': {
      const type = separationOf(music.stemType)?.type;
      return { path: '/vocal-removal/generate', body: present({ taskId, audioId, type, callBackUrl }) };
    }
    case 'sounds':
      return { path: '/generate/sounds', body: present({ ...common, prompt, ...soundFields(music) }) };
    case 'lyrics':
      return { path: '/lyrics', body: present({ prompt, callBackUrl }) };
    case 'aligned_lyrics':
      return { path: '/generate/get-timestamped-lyrics', body: present({ taskId, audioId }) };
    default:
      throw new TypeError(`not offered: ${operation}`);
  }
}

/** By its id, or by its address: that way the vendor takes any track, and one that is not to be sung. */
function extension(music: MusicRequest, endpoint: Endpoint, common: JsonObject): VendorStep {
  const { source, continueAt } = music;
  const { customMode: _, instrumental, ...track } = musicFields(continued(music));
  const fields = { ...common, defaultParamFlag: true, continueAt, ...track };
  if (extendsOwn(music, endpoint)) {
    return { path: '/generate/extend', body: present<JsonObject>({ ...fields, audioId: source?.trackId }) };
  }
  const body = present<JsonObject>({ ...fields, uploadUrl: source?.audioUrl, instrumental });
  return { path: '/generate/upload-extend', body };
}

function extendsOwn(music: MusicRequest, endpoint: Endpoint): boolean {
  return ownTrack(music, endpoint) !== undefined && music.instrumental !== true;
}

/** Values for fields that the vendor insists on and the caller leaves to it. */
const UNTOLD = { title: 'Song', style: 'Any style', extension: 'The song goes on in the same way.' } as const;

/**
 * A custom track as the vendor takes it: with a title and a style, and with lyrics if it is sung. Lyrics it writes for a
 * description alone, which the title and the style then make up.
 */
function completed(music: MusicRequest): MusicRequest {
  const { custom, instrumental, prompt, title, tags, ...rest } = music;
  if (custom !== true) return music;
  if (prompt === undefined && instrumental !== true) {
    return { ...rest, custom: false, description: described({ title, tags }) };
  }
  return { ...music, title: title ?? UNTOLD.title, tags: tags ?? UNTOLD.style };
}

function described({ title, tags }: { title: string | undefined; tags: string | undefined }): string {
  const called = title === undefined ? '' : ` called "${title}"`;
  const styled = tags === undefined ? '' : `, in the style of ${tags}`;
  return beginning(`A song${called}${styled}`, DESCRIPTION_MAX_CHARS);
}

const GENDERS = { male: 'm', female: 'f' } as const;

/** Unless the caller says otherwise a track goes on in its own style. */
function continued(music: MusicRequest): MusicRequest {
  const prompt = music.prompt ?? (music.instrumental === true ? undefined : UNTOLD.extension);
  return present<MusicRequest>({ ...titled(music), prompt, tags: music.tags ?? music.source?.tags });
}

/** The fields that say how a track is to be. The vendor has one field for lyrics and for a description. */
function musicFields(asked: MusicRequest): JsonObject {
  const music = completed(asked);
  const custom = music.custom === true;
  return present<JsonObject>({
    customMode: custom,
    instrumental: music.instrumental ?? false,
    prompt: custom ? music.prompt : music.description,
    title: music.title,
    style: music.tags,
    negativeTags: music.negativeTags,
    styleWeight: music.styleWeight,
    weirdnessConstraint: music.weirdness,
    audioWeight: music.audioWeight,
    vocalGender: music.vocalGender && GENDERS[music.vocalGender],
  });
}

/** `prompt` is what the new part is to be, by its words where the caller says no more. The vendor insists on the lyrics of the whole. */
function replacementFields(music: MusicRequest): JsonObject {
  const {
    start = 0,
    end = 0,
    prompt = music.infillLyrics,
    infillLyrics,
    tags,
    negativeTags,
    title,
    source,
  } = titled(music);
  const whole = source && fullLyrics(source, { start, end, words: infillLyrics });
  return present<JsonObject>({
    infillStartS: start,
    infillEndS: end,
    prompt,
    fullLyrics: whole ?? prompt,
    tags,
    negativeTags,
    title,
  });
}

function soundFields({ soundType, bpm, key }: MusicRequest): JsonObject {
  return present<JsonObject>({ soundLoop: soundType === 'loop', soundTempo: bpm, soundKey: key });
}

/** Where the caller writes the track, what is made of one goes by its title unless it gets its own. */
function titled(music: MusicRequest): MusicRequest {
  const title = music.title ?? music.source?.title;
  return music.custom === false || title === undefined ? music : { ...music, title };
}
