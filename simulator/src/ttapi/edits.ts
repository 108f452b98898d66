import { withoutDirectives } from '../faults/directive';
import { remade } from '../media/audio/recording';
import type { NewTrack, Track } from '../music/track';
import type { SunoRequest } from './fields';
import * as fields from './fields';
import type { Made, Operation } from './jobs';
import { checkStretch } from './music-request';
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
function made(
  { id: _, ...source }: Track,
  operation: string,
  changes: Partial<NewTrack> & { seconds?: number } = {},
): NewTrack {
  const { seconds, ...others } = changes;
  return { ...source, recording: remade(source.recording, operation, seconds), ...others };
}

const one = (track: NewTrack): Made => ({ tracks: [track] });

const cutTerms = { takes: fields.cropStretch, needs: ['crop_start_s', 'crop_end_s'] } satisfies Partial<EditTerms>;

const stretchIn = (source: Track, { crop_start_s: start, crop_end_s: end }: SunoRequest) =>
  checkStretch({ start, end }, source.recording);

const cut = edit('crop', { idName: 'jobId', quota: '1', ...cutTerms }, (source, request) => {
  const { start, end } = stretchIn(source, request);
  return one(made(source, `crop ${start} ${end}`, { seconds: end - start }));
});

const removeSection = edit('remove-section', { idName: 'job_id', quota: '1', ...cutTerms }, (source, request) => {
  const { start, end } = stretchIn(source, request);
  const seconds = source.recording.seconds - (end - start);
  if (seconds <= 0) throw invalid('nothing would be left of the song');
  return one(made(source, `remove ${start} ${end}`, { seconds }));
});

const fade = (action: 'fade-in' | 'fade-out', suffix: string) =>
  edit(
    action,
    { idName: 'jobId', quota: '1', takes: fields.fade, needs: ['fade_time_s', 'title'] },
    (source, { fade_time_s: seconds = 0, title = '' }) => {
      if (seconds > source.recording.seconds) throw invalid('fade_time_s is longer than the song');
      return one(made(source, `${action} ${seconds}`, { title: `${withoutDirectives(title)} (${suffix})` }));
    },
  );

const adjustSpeed = edit(
  'adjust-speed',
  { idName: 'job_id', quota: '3', takes: fields.speed, needs: ['speed_multiplier', 'title'] },
  (source, { speed_multiplier: factor = 1, title = '' }) =>
    one(
      made(source, `speed ${factor}`, {
        seconds: source.recording.seconds / factor,
        title: withoutDirectives(title) || source.title,
      }),
    ),
);

const remaster = edit(
  'remaster',
  { idName: 'job_id', quota: '6', takes: fields.remaster, needs: ['mv'] },
  (source, { variation_category: category = 'normal' }) => ({
    tracks: [1, 2].map((take) => made(source, `remaster ${category} ${take}`)),
  }),
);

const stems = edit(
  'stems',
  { idName: 'job_id', quota: '6', takes: fields.stem },
  (source, { stem_type: type = 'lead_vocal' }) => {
    const words = type.split('_').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
    const name = words.join(' ');
    return {
      tracks: [name, `Without ${name}`].map((each) => made(source, each, { title: `${source.title} (${each})` })),
    };
  },
);

/** An extension here is the whole track already, so joining it with what it extends changes nothing. */
const concat = edit('concat', { idName: 'jobId', quota: '0' }, (source) => one(made(source, 'concat')));

/** Paths that make something of a track. */
export const edits: Operation[] = [
  cut,
  removeSection,
  fade('fade-in', 'Fade In'),
  fade('fade-out', 'Fade Out'),
  adjustSpeed,
  remaster,
  stems,
  concat,
];
