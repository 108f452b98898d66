import { jobEndpoint, type NewJob } from '../jobs/job-store';
import { numbered } from '../music/track';
import type { Call, Endpoint, JsonObject } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import { delivery, type SunoRequest } from './fields';
import { type Desk, MODEL_WITHOUT_MV, type Operation, type SunoDetail, type SunoJobs } from './jobs';
import { compileBody, invalid, readJsonBody, success } from './wire';

/** `POST /suno/v1/{action}`. */
export function createSubmit(operation: Operation, jobs: SunoJobs): Endpoint<JsonObject, NewJob<SunoDetail>> {
  const check = compileBody({ ...operation.fields, ...delivery }, operation.required);
  return jobEndpoint({
    jobs,
    read: readJsonBody,
    describe: (_request, body) => ({ model: textOf(body['mv']) || MODEL_WITHOUT_MV, prompt: wordsOf(body) }),
    async prepare(body, call) {
      const request = check(body, call);
      if (request.hookUrl !== undefined) call.warn('hookUrl is not called');
      const made = operation.make(request, createDesk(call, jobs));
      const model = request.mv ?? MODEL_WITHOUT_MV;
      const detail = detailOf(operation, request);
      return {
        model,
        prompt: wordsOf(body),
        detail: {
          ...detail,
          tracks: made.tracks.map((track) => numbered(track, invalid)),
          lyrics: made.lyrics ?? [],
        },
      };
    },
    started: ({ id }) => success({ [operation.idName]: id }),
  });
}

function createDesk(call: Call, jobs: SunoJobs): Desk {
  return {
    call,
    find(musicId) {
      const found = jobs.findTrack(musicId ?? '');
      if (!found) throw invalid('music_id does not exist');
      return found.track;
    },
  };
}

function detailOf({ action, quota }: Operation, request: SunoRequest): SunoDetail {
  return {
    action,
    quota,
    hookUrl: request.hookUrl,
    tracks: [],
    lyrics: [],
    negativeTags: request.negative_tags ?? '',
    weights: {
      styleWeight: request.style_weight ?? null,
      weirdnessConstraint: request.weirdness_constraint ?? null,
      audioWeight: request.audio_weight ?? null,
    },
  };
}

/** Everything that a caller may have written, since a directive may stand in any of it. */
function wordsOf(body: JsonObject): string {
  const names = ['gpt_description_prompt', 'prompt', 'infill_lyrics', 'sound', 'title', 'tags'];
  return names
    .map((name) => textOf(body[name]))
    .filter((text) => text !== '')
    .join('\n');
}
