import type { Request } from 'express';
import { aboutJob } from '../jobs/vendor-job';
import { trackLinks } from '../music/music-files';
import type { Track } from '../music/track';
import type { Call, JsonObject, Question } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import type { SunoJob, SunoJobs } from './jobs';
import { faultMessage, invalid, jobNotFound, policyMessage, readJsonBody } from './wire';

/** `GET` or `POST /suno/v2/fetch`, and its forerunner. */
export function createFetch(jobs: SunoJobs): Question<SunoJob> {
  return {
    operation: 'check',
    async find(request) {
      const id = request.method === 'GET' ? textOf(request.query['jobId']) : await idInBody(request);
      if (id === '') throw invalid('jobId is required');
      const job = jobs.find(id);
      if (!job) throw jobNotFound();
      return job;
    },
    about: aboutJob,
    answer(job, call) {
      const body = { jobId: job.id, ...reportOf(job, { jobs, call }) };
      return { status: 200, body: call.faults.take('new-status-word') ? { ...body, status: 'REVIEWING' } : body };
    },
  };
}

async function idInBody(request: Request): Promise<string> {
  return textOf((await readJsonBody(request))['jobId']);
}

function reportOf(job: SunoJob, { jobs, call }: { jobs: SunoJobs; call: Call }): JsonObject {
  const { action, quota, hookUrl, lyrics } = job.detail;
  const facts = { jobId: job.id, action, mv: job.model, hookUrl: hookUrl ?? null };
  const state = jobs.state(job);
  switch (state) {
    case 'queued':
    case 'running': {
      const progress = `${Math.min(99, Math.round(jobs.progress(job) * 100))}%`;
      const data = { ...facts, progress, quota: '0', musics: musicsOf(job, { jobs, call }) };
      return { status: 'ON_QUEUE', message: 'success', data };
    }
    case 'done': {
      const result = lyrics.length > 0 ? lyricsOf(job, call) : { musics: musicsOf(job, { jobs, call }) };
      return { status: 'SUCCESS', message: 'success', data: { ...facts, progress: '100%', quota, ...result } };
    }
    case 'policy':
    case 'fault':
    case 'cancelled': {
      const message = state === 'policy' ? policyMessage : faultMessage;
      return { status: 'FAILED', message, data: { ...facts, progress: '0%', quota: '0', musics: [] } };
    }
  }
}

function musicsOf(job: SunoJob, { jobs, call }: { jobs: SunoJobs; call: Call }): JsonObject[] {
  const ready = jobs.readyTracks(job);
  if (ready.length === 0 || call.faults.take('empty-result')) return [];
  const musics = ready.map((track) => describe(track, { job, jobs, call }));
  if (call.faults.take('missing-url')) return musics.map(({ audioUrl: _lost, ...music }) => music);
  return call.faults.take('wrong-type')
    ? musics.map((music) => ({ ...music, audioUrl: 42, duration: 'long' }))
    : musics;
}

function describe(track: Track, { job, jobs, call }: { job: SunoJob; jobs: SunoJobs; call: Call }): JsonObject {
  const links = trackLinks(call.request, { jobs, job, track });
  return {
    musicId: track.id,
    prompt: track.lyrics,
    title: track.title,
    tags: track.tags,
    imageUrl: links.cover,
    imageLargeUrl: links.cover,
    audioUrl: links.audio,
    // The vendor no longer adds a video to each track.
    videoUrl: '',
    duration: track.recording.seconds.toFixed(2),
    negativeTags: job.detail.negativeTags,
    ...job.detail.weights,
    createdAt: new Date(job.submittedAtMs).toISOString(),
  };
}

/** The vendor's pages do not show this answer: the lyrics stand under their own name and where a track would have them. */
function lyricsOf(job: SunoJob, { faults }: Call): JsonObject {
  if (faults.take('empty-result')) return { musics: [], lyrics: [] };
  const { lyrics } = job.detail;
  const musics = lyrics.map(({ title, text, tags }) => ({ title, prompt: text, tags: tags.join(', ') }));
  return { musics, lyrics };
}
