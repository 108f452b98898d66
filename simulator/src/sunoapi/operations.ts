import { linesWithoutDirectives, withoutDirectives } from '../faults/directive';
import { type Recording, remade } from '../media/audio/recording';
import { type AskedMusic, makeSound, twoOf, writeLyrics } from '../music/asked-music';
import { fetchClip, type MusicTools } from '../music/music-tools';
import type { Track } from '../music/track';
import type { SunoapiRequest } from './fields';
import * as fields from './fields';
import type { Made, Operation } from './jobs';
import { readMusicRequest } from './music-request';
import { invalid, tooLong } from './wire';

const generate: Operation = {
  path: 'generate',
  kind: 'generate',
  operationType: 'generate',
  fields: { ...fields.musicFields, ...fields.customMode, ...fields.trackLength, ...fields.callback },
  required: ['customMode', 'instrumental', 'model', 'callBackUrl'],
  make(request, { call }) {
    const asked = readMusicRequest(request, { custom: request.customMode === true, call });
    return twoOf(asked, asked.music);
  },
};

const extend: Operation = {
  path: 'generate/extend',
  kind: 'generate',
  operationType: 'extend',
  fields: { ...fields.musicFields, ...fields.ownParameters, ...fields.audio, ...fields.callback },
  required: ['defaultParamFlag', 'audioId', 'model', 'callBackUrl'],
  make(request, { call, find }) {
    const source = find(request.audioId);
    const asked = askedOf(request, { source, custom: request.defaultParamFlag === true, call });
    const made = extended(request, { source: source.recording, asked });
    return { ...made, parentMusicId: source.id };
  },
};

const uploadExtend: Operation = {
  path: 'generate/upload-extend',
  kind: 'generate',
  operationType: 'upload_extend',
  fields: { ...fields.musicFields, ...fields.ownParameters, ...fields.upload, ...fields.callback },
  required: ['uploadUrl', 'defaultParamFlag', 'model', 'callBackUrl'],
  async make(request, { call, tools }) {
    const asked = readMusicRequest(request, { custom: request.defaultParamFlag === true, call });
    return extended(request, { source: await uploaded(request, tools), asked });
  },
};

const uploadCover: Operation = {
  path: 'generate/upload-cover',
  kind: 'generate',
  operationType: 'upload_cover',
  fields: { ...fields.musicFields, ...fields.customMode, ...fields.upload, ...fields.callback },
  required: ['uploadUrl', 'customMode', 'instrumental', 'model', 'callBackUrl'],
  async make(request, { call, tools }) {
    const asked = readMusicRequest(request, { custom: request.customMode === true, call });
    const { seconds } = await uploaded(request, tools);
    return twoOf(asked, (take) => ({ ...asked.music(take), seconds }));
  },
};

const SECTION_SECONDS = { least: 6, most: 60 };

const replaceSection: Operation = {
  path: 'generate/replace-section',
  kind: 'generate',
  operationType: 'replace_section',
  fields: { ...fields.track, ...fields.section, ...fields.callback },
  required: ['taskId', 'audioId', 'prompt', 'tags', 'title', 'infillStartS', 'infillEndS', 'fullLyrics'],
  make({ infillStartS: start = 0, infillEndS: end = 0, ...request }, { call, find }) {
    const source = find(request.audioId, request.taskId);
    const length = end - start;
    if (length < SECTION_SECONDS.least || length > SECTION_SECONDS.most) {
      throw invalid(`the section must be ${SECTION_SECONDS.least} to ${SECTION_SECONDS.most} seconds long`);
    }
    const { seconds } = source.recording;
    if (length > seconds / 2) throw invalid('the section is longer than half of the song');
    if (end > seconds) throw invalid('infillEndS is beyond the end of the song');
    const asked = readMusicRequest({ ...request, style: request.tags ?? '' }, { custom: true, call });
    const lyrics = linesWithoutDirectives(request.fullLyrics ?? '');
    const made = twoOf({ ...asked, lyrics }, (take) => remade(source.recording, asked.music(take).words));
    return { ...made, parentMusicId: source.id };
  },
};

const MAX_SOUND_CHARS = 500;

const sounds: Operation = {
  path: 'generate/sounds',
  kind: 'generate',
  operationType: 'sounds',
  fields: { ...fields.sound, ...fields.callback },
  required: ['prompt', 'model'],
  make({ prompt = '', soundLoop = false }) {
    if (prompt.length > MAX_SOUND_CHARS) throw tooLong('prompt');
    const description = withoutDirectives(prompt);
    return twoOf({ title: description.slice(0, 80), tags: '', lyrics: '' }, (variation) =>
      makeSound({ description, isLoop: soundLoop, variation }),
    );
  },
};

const MAX_LYRICS_WORDS = 200;

const lyrics: Operation = {
  path: 'lyrics',
  kind: 'lyrics',
  operationType: 'lyrics',
  fields: { ...fields.lyrics, ...fields.callback },
  required: ['prompt', 'callBackUrl'],
  make({ prompt = '' }) {
    const about = withoutDirectives(prompt);
    if (about.split(' ').length > MAX_LYRICS_WORDS) throw tooLong('prompt');
    return { tracks: [], lyrics: [1, 2].map((variation) => writeLyrics(about, variation)) };
  },
};

const separate: Operation = {
  path: 'vocal-removal/generate',
  kind: 'vocal-removal',
  operationType: 'vocal_removal',
  fields: { ...fields.track, ...fields.separation, ...fields.callback },
  required: ['taskId', 'audioId', 'callBackUrl'],
  make({ taskId, audioId, type = 'separate_vocal' }, { find }) {
    const source = find(audioId, taskId);
    const names = type === 'separate_vocal' ? ['Vocals', 'Instrumental'] : STEMS;
    const tracks = names.map((name) => ({
      ...source,
      title: `${source.title} (${name})`,
      recording: remade(source.recording, name),
    }));
    return { tracks, parentMusicId: source.id, stemNames: names };
  },
};

const STEMS = ['Vocals', 'Backing Vocals', 'Drums', 'Percussion', 'Bass', 'Keyboard'];

/** Paths that start a task. */
export const operations: Operation[] = [
  generate,
  extend,
  uploadExtend,
  uploadCover,
  replaceSection,
  sounds,
  lyrics,
  separate,
];

/** Without parameters of its own, an extension takes over those of the track. */
function askedOf(
  request: SunoapiRequest,
  { source, custom, call }: { source: Track; custom: boolean; call: Parameters<typeof readMusicRequest>[1]['call'] },
): AskedMusic {
  if (custom) return readMusicRequest(request, { custom, call });
  const { title, tags, lyrics: words } = source;
  const asked = readMusicRequest({ ...request, prompt: title || 'untitled' }, { custom, call });
  return { ...asked, title, tags, lyrics: words };
}

function extended(
  { continueAt, defaultParamFlag }: SunoapiRequest,
  { source, asked }: { source: Recording; asked: AskedMusic },
): Made {
  if (defaultParamFlag === true && continueAt === undefined) throw invalid('continueAt is required');
  const end = source.seconds;
  if (continueAt !== undefined && continueAt >= end) throw invalid('continueAt must be less than the duration');
  return twoOf(asked, (take) => {
    const { words, seconds } = asked.music(take);
    return remade(source, words, (continueAt ?? end) + seconds);
  });
}

async function uploaded({ uploadUrl = '' }: SunoapiRequest, tools: MusicTools) {
  const fetched = await fetchClip(uploadUrl, tools);
  if ('problem' in fetched) throw invalid(`uploadUrl: ${fetched.problem}`);
  return fetched.clip;
}
