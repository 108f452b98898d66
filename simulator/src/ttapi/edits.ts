import { withoutDirectives } from '../faults/directive';
import { crop, type Recording, secondsOf, withoutStretch } from '../media/audio/recording';
import { allStemsOf, stemOf } from '../music/stems';
import type { NewTrack, Track } from '../music/track';
import * as fields from './fields';
import type { Made, Operation } from './operation';
import { checkStretch } from './stretch';
import { invalid } from './wire';

/** A track made of another one: fields that are absent stay as they were. */
function made(source: Track, recording: Recording, changes: Partial<NewTrack> = {}): NewTrack {
  const { title, lyrics, tags, format } = source;
  return { title, lyrics, tags, format, recording, ...changes };
}

const one = (track: NewTrack): Made => ({ tracks: [track] });

const cut: Operation = {
  action: 'crop',
  idName: 'jobId',
  quota: '1',
  fields: { ...fields.source, ...fields.cropStretch },
  required: ['music_id', 'crop_start_s', 'crop_end_s'],
  make({ music_id: id, crop_start_s: start, crop_end_s: end }, { find }) {
    const source = find(id);
    const stretch = checkStretch({ start, end }, source.recording);
    return one(made(source, crop(source.recording, stretch.start, stretch.end)));
  },
};

const removeSection: Operation = {
  action: 'remove-section',
  idName: 'job_id',
  quota: '1',
  fields: { ...fields.source, ...fields.cropStretch },
  required: ['music_id', 'crop_start_s', 'crop_end_s'],
  make({ music_id: id, crop_start_s: start, crop_end_s: end }, { find }) {
    const source = find(id);
    const stretch = checkStretch({ start, end }, source.recording);
    if (stretch.end - stretch.start >= secondsOf(source.recording)) throw invalid('nothing would be left of the song');
    return one(made(source, withoutStretch(source.recording, stretch)));
  },
};

const fade = (action: 'fade-in' | 'fade-out', suffix: string): Operation => ({
  action,
  idName: 'jobId',
  quota: '1',
  fields: { ...fields.source, ...fields.fade },
  required: ['music_id', 'fade_time_s', 'title'],
  make({ music_id: id, fade_time_s: seconds = 0, title = '' }, { find }) {
    const source = find(id);
    if (seconds > secondsOf(source.recording)) throw invalid('fade_time_s is longer than the song');
    const [fadeIn, fadeOut] = action === 'fade-in' ? [seconds, 0] : [0, seconds];
    const recording: Recording = { kind: 'fade', of: source.recording, fadeIn, fadeOut };
    return one(made(source, recording, { title: `${withoutDirectives(title)} (${suffix})` }));
  },
});

const adjustSpeed: Operation = {
  action: 'adjust-speed',
  idName: 'job_id',
  quota: '3',
  fields: { ...fields.source, ...fields.speed },
  required: ['music_id', 'speed_multiplier', 'title'],
  make({ music_id: id, speed_multiplier: factor = 1, keep_pitch: keepPitch = true, title = '' }, { find }) {
    const source = find(id);
    const recording: Recording = { kind: 'speed', of: source.recording, factor, keepPitch };
    return one(made(source, recording, { title: withoutDirectives(title) || source.title }));
  },
};

/** How much louder it gets. */
const remasterGains = { subtle: 1.15, normal: 1.3, high: 1.45 };

const remaster: Operation = {
  action: 'remaster',
  idName: 'job_id',
  quota: '6',
  fields: { ...fields.source, ...fields.remaster },
  required: ['music_id', 'mv'],
  make({ music_id: id, variation_category: category = 'normal' }, { find }) {
    const source = find(id);
    const gains = [remasterGains[category], remasterGains[category] * 0.97];
    return { tracks: gains.map((factor) => made(source, { kind: 'gain', of: source.recording, factor })) };
  },
};

const stems: Operation = {
  action: 'stems',
  idName: 'job_id',
  quota: '6',
  fields: { ...fields.source, ...fields.stem },
  required: ['music_id'],
  make({ music_id: id, stem_type: type = 'lead_vocal' }, { find }) {
    const source = find(id);
    const { stem, without } = stemOf(source.recording, fields.stemTypes[type] ?? type);
    const name = type.replace(
      /(^|_)([a-z])/g,
      (_match, gap: string, letter: string) => `${gap && ' '}${letter.toUpperCase()}`,
    );
    return {
      tracks: [
        made(source, stem, { title: `${source.title} (${name})` }),
        made(source, without, { title: `${source.title} (Without ${name})` }),
      ],
    };
  },
};

const stemsAll: Operation = {
  action: 'stems-all',
  idName: 'job_id',
  quota: '60',
  fields: fields.source,
  required: ['music_id'],
  make({ music_id: id }, { find }) {
    const source = find(id);
    const tracks = allStemsOf(source.recording).map(({ name, stem }) =>
      made(source, stem, { title: `${source.title} (${name})` }),
    );
    return { tracks };
  },
};

/** An extension here is the whole track already, so joining it with what it extends changes nothing. */
const concat: Operation = {
  action: 'concat',
  idName: 'jobId',
  quota: '0',
  fields: fields.source,
  required: ['music_id'],
  make({ music_id: id }, { find }) {
    const source = find(id);
    return one(made(source, source.recording));
  },
};

const wav: Operation = {
  action: 'wav',
  idName: 'jobId',
  quota: '0',
  fields: fields.source,
  required: ['music_id'],
  make({ music_id: id }, { find }) {
    const source = find(id);
    return one(made(source, source.recording, { format: 'wav' }));
  },
};

/** Paths that make something of a track. */
export const edits: Operation[] = [
  cut,
  removeSection,
  fade('fade-in', 'Fade In'),
  fade('fade-out', 'Fade Out'),
  adjustSpeed,
  remaster,
  stems,
  stemsAll,
  concat,
  wav,
];
