import { aboutJob } from '../jobs/vendor-job';
import { type TrackLinks, trackLinks } from '../music/music-files';
import type { Track } from '../music/track';
import type { JsonObject, Question } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import type { SunoapiJob, SunoapiJobs, TaskKind } from './jobs';
import { errorOf, type Reporting, statusOf, TEXT_AT } from './task-status';
import { invalid, notFound, success } from './wire';

/** `GET /api/v1/{kind}/record-info?taskId=`: each kind of task on a path of its own, in a shape of its own. */
export function createRecordInfo(kind: TaskKind, jobs: SunoapiJobs): Question<SunoapiJob> {
  const reports = { generate: trackReport, lyrics: lyricsReport, 'vocal-removal': separationReport };
  return {
    operation: 'check',
    find(request) {
      const id = textOf(request.query['taskId']);
      if (id === '') throw invalid('taskId is required');
      const job = jobs.find(id);
      if (job?.detail.kind !== kind) throw notFound('The task does not exist');
      return job;
    },
    about: aboutJob,
    answer: (job, call) => success(reports[kind](job, { jobs, call })),
  };
}

function trackReport(job: SunoapiJob, reporting: Reporting): JsonObject {
  const { operationType, param, parentMusicId } = job.detail;
  const status = statusOf(job, reporting);
  const showsWords = reporting.jobs.state(job) === 'done' || reporting.jobs.progress(job) >= TEXT_AT;
  const failed = errorOf(job, reporting);
  return {
    taskId: job.id,
    parentMusicId,
    param,
    response: showsWords && failed.errorCode === null ? { taskId: job.id, sunoData: tracksOf(job, reporting) } : null,
    status,
    type: 'chirp',
    operationType,
    ...failed,
  };
}

function tracksOf(job: SunoapiJob, { jobs, call }: Reporting): JsonObject[] {
  const ready = new Set(jobs.readyTracks(job));
  if (ready.size > 0 && call.faults.take('empty-result')) return [];
  const tracks = job.detail.tracks.map((track) => {
    const links = ready.has(track) ? trackLinks(call.request, { jobs, job, track }) : undefined;
    return describe(track, { job, links });
  });
  if (ready.size > 0 && call.faults.take('missing-url')) return tracks.map(({ audioUrl: _lost, ...music }) => music);
  if (ready.size > 0 && call.faults.take('wrong-type')) {
    return tracks.map((music) => ({ ...music, audioUrl: 42, duration: 'long' }));
  }
  return tracks;
}

/** A track of which only the words are there yet has no links and no length. */
function describe(track: Track, { job, links }: { job: SunoapiJob; links: TrackLinks | undefined }): JsonObject {
  return {
    id: track.id,
    audioUrl: links?.audio ?? '',
    sourceAudioUrl: links?.audio ?? '',
    streamAudioUrl: links?.audio ?? '',
    sourceStreamAudioUrl: links?.audio ?? '',
    imageUrl: links?.cover ?? '',
    sourceImageUrl: links?.cover ?? '',
    prompt: track.lyrics,
    modelName: modelNames[job.model] ?? 'chirp-v5',
    title: track.title,
    tags: track.tags,
    createTime: job.submittedAtMs,
    duration: links ? Number(track.recording.seconds.toFixed(2)) : null,
  };
}

const modelNames: Record<string, string> = {
  V4: 'chirp-v4',
  V4_5: 'chirp-auk',
  V4_5PLUS: 'chirp-bluejay',
  V4_5ALL: 'chirp-auk-turbo',
  V5: 'chirp-crow',
  V5_5: 'chirp-fenix',
};

function lyricsReport(job: SunoapiJob, reporting: Reporting): JsonObject {
  const isDone = reporting.jobs.state(job) === 'done';
  const isEmpty = isDone && reporting.call.faults.take('empty-result') !== undefined;
  const lyricsData = (isEmpty ? [] : job.detail.lyrics).map(({ title, text }) => ({
    text,
    title,
    status: 'complete',
    errorMessage: '',
  }));
  return {
    taskId: job.id,
    param: job.detail.param,
    // The vendor has changed the name of the list, and its pages show both.
    response: isDone ? { taskId: job.id, data: lyricsData, lyricsData } : null,
    status: statusOf(job, reporting),
    type: 'LYRICS',
    ...errorOf(job, reporting),
  };
}

/** The field of each stem in the answer; the vendor has one for every kind, and leaves null what was not made. */
const stemFields: Record<string, string> = {
  Instrumental: 'instrumentalUrl',
  Vocals: 'vocalUrl',
  'Backing Vocals': 'backingVocalsUrl',
  Drums: 'drumsUrl',
  Bass: 'bassUrl',
  Guitar: 'guitarUrl',
  Keyboard: 'keyboardUrl',
  Percussion: 'percussionUrl',
  Strings: 'stringsUrl',
  Synth: 'synthUrl',
  FX: 'fxUrl',
  Brass: 'brassUrl',
  Woodwinds: 'woodwindsUrl',
};

/** A separation: a link for each stem. */
function separationReport(job: SunoapiJob, reporting: Reporting): JsonObject {
  const isDone = reporting.jobs.state(job) === 'done';
  return {
    taskId: job.id,
    musicId: job.detail.parentMusicId,
    musicIndex: 0,
    successFlag: statusOf(job, reporting),
    createTime: job.submittedAtMs,
    completeTime: isDone ? job.endsAtMs : null,
    ...errorOf(job, reporting),
    response: isDone ? stemsOf(job, reporting) : null,
  };
}

function stemsOf(job: SunoapiJob, { jobs, call }: Reporting): JsonObject | null {
  if (call.faults.take('empty-result')) return null;
  const without = { originUrl: null, ...Object.fromEntries(Object.values(stemFields).map((field) => [field, null])) };
  if (call.faults.take('missing-url')) return { ...without, originData: [] };
  const isWrong = call.faults.take('wrong-type') !== undefined;
  const stems = job.detail.tracks.map((track, index) => ({
    name: job.detail.stemNames[index] ?? '',
    id: track.id,
    seconds: track.recording.seconds,
    link: isWrong ? 42 : trackLinks(call.request, { jobs, job, track }).audio,
  }));
  return {
    ...without,
    ...Object.fromEntries(stems.map(({ name, link }) => [stemFields[name] ?? 'fxUrl', link])),
    originData: stems.map(({ name, id, seconds, link }) => ({
      duration: Number(seconds.toFixed(2)),
      audio_url: link,
      stem_type_group_name: name,
      id,
    })),
  };
}
