import { jobEndpoint, type NewJob } from '../jobs/job-store';
import type { MusicTools } from '../music/music-tools';
import { numbered } from '../music/track';
import type { Call, Endpoint, JsonObject } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import type { Desk, Operation, SunoapiDetail, SunoapiJobs } from './jobs';
import { compileBody, invalid, readJsonBody, success } from './wire';

/** `POST /api/v1/{path}`. */
export function createSubmit(
  operation: Operation,
  { tools, jobs }: { tools: MusicTools; jobs: SunoapiJobs },
): Endpoint<JsonObject, NewJob<SunoapiDetail>> {
  const check = compileBody(operation.fields, operation.required);
  return jobEndpoint({
    jobs,
    read: readJsonBody,
    describe: (_request, body) => ({ model: modelOf(body), prompt: wordsOf(body) }),
    async prepare(body, call) {
      const request = check(body, call);
      const made = await operation.make(request, createDesk({ call, tools, jobs }));
      const { kind, operationType } = operation;
      const { lyrics = [], parentMusicId = '', stemNames = [] } = made;
      const tracks = made.tracks.map((track) => numbered(track, invalid));
      const param = JSON.stringify(request);
      const detail = { kind, operationType, param, tracks, lyrics, parentMusicId, stemNames };
      return { model: modelOf(body), prompt: wordsOf(body), detail };
    },
    started: ({ id }) => success({ taskId: id }),
  });
}

function createDesk({ call, tools, jobs }: { call: Call; tools: MusicTools; jobs: SunoapiJobs }): Desk {
  return {
    call,
    tools,
    find(audioId, taskId) {
      const found = jobs.findTrack(audioId ?? '');
      if (!found) throw invalid('audioId does not exist');
      if (taskId !== undefined && found.job.id !== taskId) throw invalid('audioId does not belong to taskId');
      return found.track;
    },
  };
}

function modelOf(body: JsonObject): string {
  return textOf(body['model']) || 'suno';
}

/** Everything that a caller may have written, since a directive may stand in any of it. */
function wordsOf(body: JsonObject): string {
  const texts = ['prompt', 'title', 'style', 'tags'].map((name) => textOf(body[name]));
  return texts.filter((text) => text !== '').join('\n');
}
