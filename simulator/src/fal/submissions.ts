import type { Request } from 'express';
import type { HostedImage } from '../hosted/hosted-files';
import type { InputFault } from '../hosted/hosted-model';
import { type HostedOrder, orderOf } from '../hosted/hosted-order';
import { type JobStore, jobEndpoint, type NewJob } from '../jobs/job-store';
import type { VideoTools } from '../vendor';
import { type Endpoint, type JsonObject, Refusal } from '../vendor-call/contract';
import { jsonReader } from '../vendor-call/json-body';
import { textOf } from '../vendor-call/request-body';
import { falModels } from './models';
import { queueError } from './wire';

/** The fields of a request of the queue beside its state. */
export interface FalDetail {
  /** Owner and name: the endpoint without the path within the application. */
  application: string;
  /** Models look at their input when a runner has it: what is wrong is the request's answer. */
  fault: InputFault | 'no path' | undefined;
  order: HostedOrder | undefined;
  /** The images are made once somebody asks for them. */
  images?: Promise<HostedImage[]>;
}

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const APPLICATIONS = new Set(Object.keys(falModels).map(applicationOf));

/** `POST /{owner}/{application}/{path}`. */
export function createSubmissions(
  tools: VideoTools,
  jobs: JobStore<FalDetail>,
): Endpoint<JsonObject, NewJob<FalDetail>> {
  return jobEndpoint({
    jobs,
    read: jsonReader(
      MAX_BODY_BYTES,
      () => new Refusal(queueError(400, 'The request body is not valid JSON.', 'bad_request')),
    ),
    describe: (request, body) => ({ model: endpointOf(request), prompt: textOf(body['prompt']) }),
    async prepare(input, { request, warn }) {
      const endpoint = endpointOf(request);
      const application = applicationOf(endpoint);
      if (!APPLICATIONS.has(application)) throw new Refusal(queueError(404, `Application '${application}' not found`));
      const model = falModels[endpoint];
      const prompt = textOf(input['prompt']);
      const job = { model: endpoint, prompt };
      if (!model) return { ...job, detail: { application, fault: 'no path', order: undefined } };
      for (const field of Object.keys(input)) if (!model.knows(field)) warn(`unknown field '${field.slice(0, 60)}'`);
      const made = await orderOf(input, model, tools);
      if ('fault' in made) return { ...job, detail: { application, fault: made.fault, order: undefined } };
      const video = 'video' in made ? made.video : undefined;
      return { ...job, video, detail: { application, fault: undefined, order: made } };
    },
    started: ({ id, detail }, { request }) => ({
      status: 200,
      body: { ...linksOf(request, detail, id), status: 'IN_QUEUE', queue_position: 0 },
    }),
  });
}

/** The addresses of a request, which leave the path within the application out. */
export function linksOf(request: Request, { application }: FalDetail, id: string): JsonObject {
  const link = `http://${request.get('host')}/fal/${application}/requests/${id}`;
  return { request_id: id, response_url: link, status_url: `${link}/status`, cancel_url: `${link}/cancel` };
}

function endpointOf(request: Request): string {
  return request.path.replace(/^\/|\/$/g, '');
}

function applicationOf(endpoint: string): string {
  return endpoint.split('/').slice(0, 2).join('/');
}
