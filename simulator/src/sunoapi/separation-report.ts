import { trackLinks } from '../music/music-files';
import type { JsonObject } from '../vendor-call/contract';
import type { SunoapiJob } from './jobs';
import { errorOf, type Reporting, statusOf } from './task-status';

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
export function separationReport(job: SunoapiJob, reporting: Reporting): JsonObject {
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
