import { withoutDirectives } from '../faults/directive';
import { crop, type Recording, secondsOf, withoutStretch } from '../media/audio/recording';
import { allStemsOf, stemOf } from '../music/stems';
import type { NewTrack, Track } from '../music/track';
import type { SunoRequest } from './fields';
import * as fields from './fields';
import type { Made, Operation } from './operation';
import { checkStretch } from './stretch';
import { invalid } from './wire';

interface EditTerms extends Pick<Operation, 'idName' | 'quota'> {
  /** Fields beside the track's id. */
  takes?: Record<string, object>;
  needs?: (keyof SunoRequest)[];
}

/** An operation on a track that the vendor has. */
function edit(
  action: string,
  { idName, quota, takes = {}, needs = [] }: EditTerms,
  make: (source: Track, request: SunoRequest) => Made,
): Operation {
  return {
    action,
    idName,
    quota,
    fields: { ...fields.source, ...takes },
    required: ['music_id', ...needs],
    make: (request, { find }) => make(find(request.music_id), request),
  };
}

/** A track made of another one: fields that are absent stay as they were. */
function made(source: Track, recording: Recording, changes: Partial<NewTrack> = {}): NewTrack {
  const { title, lyrics, tags, format } = source;
  return { title, lyrics, tags, format, recording, ...changes };
}

const one = (track: NewTrack): Made => ({ tracks: [track] });

const cutTerms = { takes: fields.cropStretch, needs: ['crop_start_s', 'crop_end_s'] } satisfies Partial<EditTerms>;

const stretchIn = (source: Track, { crop_start_s: start, crop_end_s: end }: SunoRequest) =>
  checkStretch({ start, end }, source.recording);

const cut = edit('crop', { idName: 'jobId', quota: '1', ...cutTerms }, (source, request) => {
  const { start, end } = stretchIn(source, request);
  return one(made(source, crop(source.recording, start, end)));
});

const removeSection = edit('remove-section', { idName: 'job_id', quota: '1', ...cutTerms }, (source, request) => {
  const stretch = stretchIn(source, request);
  if (stretch.end - stretch.start >= secondsOf(source.recording)) throw invalid('nothing would be left of the song');
  return one(made(source, withoutStretch(source.recording, stretch)));
});

const fade = (action: 'fade-in' | 'fade-out', suffix: string) =>
  edit(
    action,
    { idName: 'jobId', quota: '1', takes: fields.fade, needs: ['fade_time_s', 'title'] },
    (source, { fade_time_s: seconds = 0, title = '' }) => {
      if (seconds > secondsOf(source.recording)) throw invalid('fade_time_s is longer than the song');
      const [fadeIn, fadeOut] = action === 'fade-in' ? [seconds, 0] : [0, seconds];
      const recording: Recording = { kind: 'fade', of: source.recording, fadeIn, fadeOut };
      return one(made(source, recording, { title: `${withoutDirectives(title)} (${suffix})` }));
    },
  );

const adjustSpeed = edit(
  'adjust-speed',
  { idName: 'job_id', quota: '3', takes: fields.speed, needs: ['speed_multiplier', 'title'] },
  (source, { speed_multiplier: factor = 1, keep_pitch: keepPitch = true, title = '' }) => {
    const recording: Recording = { kind: 'speed', of: source.recording, factor, keepPitch };
    return one(made(source, recording, { title: withoutDirectives(title) || source.title }));
  },
);

/** How much louder it gets. */
const remasterGains = { subtle: 1.15, normal: 1.3, high: 1.45 };

const remaster = edit(
  'remaster',
  { idName: 'job_id', quota: '6', takes: fields.remaster, needs: ['mv'] },
  (source, { variation_category: category = 'normal' }) => {
    const gains = [remasterGains[category], remasterGains[category] * 0.97];
    return { tracks: gains.map((factor) => made(source, { kind: 'gain', of: source.recording, factor })) };
  },
);

const stems = edit(
  'stems',
  { idName: 'job_id', quota: '6', takes: fields.stem },
  (source, { stem_type: type = 'lead_vocal' }) => {
    const { stem, without } = stemOf(source.recording, fields.stemTypes[type] ?? type);
    const words = type.split('_').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
    const name = words.join(' ');
    return {
      tracks: [
        made(source, stem, { title: `${source.title} (${name})` }),
        made(source, without, { title: `${source.title} (Without ${name})` }),
      ],
    };
  },
);

const stemsAll = edit('stems-all', { idName: 'job_id', quota: '60' }, (source) => ({
  tracks: allStemsOf(source.recording).map(({ name, stem }) =>
    made(source, stem, { title: `${source.title} (${name})` }),
  ),
}));

/** An extension here is the whole track already, so joining it with what it extends changes nothing. */
const concat = edit('concat', { idName: 'jobId', quota: '0' }, (source) => one(made(source, source.recording)));

const wav = edit('wav', { idName: 'jobId', quota: '0' }, (source) =>
  one(made(source, source.recording, { format: 'wav' })),
);

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
