import type { NewJob } from '../jobs/job-store';
import { fetchClip, type MusicTools } from '../music/music-tools';
import { numbered } from '../music/track';
import type { Endpoint, JsonObject } from '../vendor-call/contract';
import { delivery, upload, uploadMode } from './fields';
import type { SunoDetail, SunoJobs } from './jobs';
import { compileBody, invalid, readJsonBody, success } from './wire';

interface UploadOrder extends NewJob<SunoDetail> {
  isAsync: boolean;
}

const MODEL = 'upload';

/** `POST /suno/v1/upload`: makes a track of the vendor's out of the caller's own sound, at once unless `is_async`. */
export function createUpload({
  tools,
  jobs,
}: {
  tools: MusicTools;
  jobs: SunoJobs;
}): Endpoint<JsonObject, UploadOrder> {
  const check = compileBody({ ...upload, ...uploadMode, ...delivery }, ['audio_url']);
  return {
    read: readJsonBody,
    describe: () => ({ model: MODEL, prompt: '' }),
    async prepare(body, call) {
      const { audio_url: link = '', is_async: isAsync = false, hookUrl } = check(body, call);
      const fetched = await fetchClip(link, tools);
      if ('problem' in fetched) throw invalid(`audio_url: ${fetched.problem}`);
      const track = numbered({ title: 'Upload', lyrics: '', tags: '', recording: fetched.clip }, invalid);
      const weights = { styleWeight: null, weirdnessConstraint: null, audioWeight: null };
      const facts = { action: 'upload', quota: '0.25', hookUrl, lyrics: [], negativeTags: '', weights };
      return { isAsync, model: MODEL, prompt: '', detail: { ...facts, tracks: [track] } };
    },
    start({ isAsync, ...order }, call) {
      const job = jobs.add(order, call);
      if (isAsync) return { externalId: job.id, reply: success({ job_id: job.id }) };
      // The answer says that it is done.
      job.startsAtMs = job.submittedAtMs;
      job.endsAtMs = job.submittedAtMs;
      return { externalId: job.id, reply: success({ music_id: job.detail.tracks[0]?.id }) };
    },
  };
}
