import { withoutDirectives } from '../faults/directive';
import { remade } from '../media/audio/recording';
import { type AskedMusic, makeSound, twoOf, writeLyrics } from '../music/asked-music';
import type { Track } from '../music/track';
import type { SunoRequest } from './fields';
import * as fields from './fields';
import type { Operation } from './jobs';
import { checkStretch, readMusicRequest } from './music-request';
import { invalid } from './wire';

const music: Operation = {
  action: 'music',
  // Two public clients read it so; the vendor's page says `job_id`.
  idName: 'jobId',
  quota: '6',
  fields: { ...fields.musicFields, ...fields.trackLength },
  required: ['mv', 'custom', 'instrumental'],
  make(request, { call }) {
    const asked = readMusicRequest(request, call);
    return twoOf(asked, asked.music);
  },
};

const extend: Operation = {
  action: 'extend',
  idName: 'job_id',
  quota: '6',
  fields: { ...fields.musicFields, ...fields.source, ...fields.continueAt },
  required: ['custom', 'music_id', 'continue_at'],
  make(request, { call, find }) {
    const source = find(request.music_id);
    const asked = readMusicRequest(request, call);
    const { continue_at: at = 0 } = request;
    if (at > source.recording.seconds) throw invalid('continue_at is beyond the end of the song');
    return twoOf(inherited(asked, source, request), (take) => {
      const { words, seconds } = asked.music(take);
      return remade(source.recording, words, at + seconds);
    });
  },
};

const cover: Operation = {
  action: 'cover',
  idName: 'job_id',
  quota: '6',
  fields: { ...fields.musicFields, ...fields.source },
  required: ['mv', 'custom', 'music_id'],
  make(request, { call, find }) {
    const source = find(request.music_id);
    // The words of a cover are those of its source unless the request brings its own.
    const asked = readMusicRequest({ ...request, prompt: request.prompt || source.lyrics || source.title }, call);
    return twoOf(inherited(asked, source, request), (take) => ({
      ...asked.music(take),
      seconds: source.recording.seconds,
    }));
  },
};

const sample: Operation = {
  action: 'sample',
  idName: 'job_id',
  quota: '6',
  fields: { ...fields.musicFields, ...fields.source, ...fields.sampleStretch },
  required: ['music_id', 'custom', 'instrumental'],
  make(request, { call, find }) {
    const source = find(request.music_id);
    const start = request.start_s ?? request.sample_start_s;
    const end = request.end_s ?? request.sample_end_s;
    const stretch = checkStretch({ start, end }, source.recording);
    const asked = readMusicRequest(request, call);
    return twoOf(asked, (take) => {
      const made = asked.music(take);
      return { ...made, seconds: stretch.end - stretch.start + made.seconds };
    });
  },
};

const replaceSection: Operation = {
  action: 'replace-section',
  idName: 'job_id',
  quota: '6',
  fields: { ...fields.musicFields, ...fields.source, ...fields.infillStretch, ...fields.infill },
  required: ['music_id'],
  make(request, { call, find }) {
    const source = find(request.music_id);
    const start = request.start_s ?? request.infill_start_s;
    const end = request.end_s ?? request.infill_end_s;
    checkStretch({ start, end }, source.recording);
    const words = request.prompt || request.infill_lyrics || source.lyrics || source.title;
    const asked = readMusicRequest({ ...request, custom: true, prompt: words }, call);
    return twoOf(inherited(asked, source, request), (take) => remade(source.recording, asked.music(take).words));
  },
};

const sounds: Operation = {
  action: 'sounds',
  idName: 'job_id',
  quota: '2',
  fields: fields.sound,
  required: ['sound'],
  make({ sound = '', type = 'one-shot' }) {
    const description = withoutDirectives(sound);
    return twoOf({ title: description.slice(0, 80), tags: '', lyrics: '' }, (variation) =>
      makeSound({ description, isLoop: type === 'loop', variation }),
    );
  },
};

const lyrics: Operation = {
  action: 'lyrics',
  idName: 'job_id',
  quota: '1',
  fields: fields.lyrics,
  required: ['prompt'],
  make({ prompt = '' }) {
    const about = withoutDirectives(prompt);
    return { tracks: [], lyrics: [1, 2].map((variation) => writeLyrics(about, variation)) };
  },
};

/** Paths that make something new. */
export const creations: Operation[] = [music, extend, cover, sample, replaceSection, sounds, lyrics];

/** Anything that a request does not mention stays as it was in the track that it works on. */
function inherited(asked: AskedMusic, source: Track, request: SunoRequest): AskedMusic {
  return {
    ...asked,
    title: request.title ? asked.title : source.title,
    tags: request.tags ? asked.tags : source.tags,
    lyrics: asked.lyrics || source.lyrics,
  };
}
