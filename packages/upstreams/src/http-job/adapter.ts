import type { JsonObject } from '@mediagate/contracts';
import type { OptionRules } from '../channel-options';
import type { Adapter, OptionFault, Probe } from '../contract';
import type { HttpClient } from '../http-client';
import { object } from '../json-guards';
import { createProbe } from '../probe';
import type { Clients } from '../protocol';
import { TEMPLATE_OPTIONS, templateLack, templateOptionsFault } from '../templates/templated-job';
import { cancelJob } from './cancel';
import { checkJob, type HttpJob } from './check';
import { descriptionOf } from './description';
import { descriptionFault } from './description-schema';
import { overwrittenPlace } from './description-sense';
import { dialectOf } from './errors';
import { startWork } from './start';
import { addressOf, credentials, headersOf } from './wire';

/** `http_job`: how the vendor is spoken to. `templates`: how each model is asked for. */
const OPTIONS: OptionRules = { ...TEMPLATE_OPTIONS, http_job: { kind: 'own' } };

/**
 * A vendor by configuration alone (docs/http-job.md): the channel's `http_job` says paths, headers, words and errors of an HTTP
 * API that takes a job and is asked about it, or answers at once; its `templates` say the bodies.
 *
 * No description can prove that a vendor enforces a reference of ours: a lost answer is never re-sent.
 */
export default function createHttpJob({ http }: Clients): Adapter {
  return {
    protocol: 'http-job',
    families: ['image', 'video', 'music'],
    hasTemplates: true,
    afterLostAnswer: 'never',
    credentials,
    checkOptions: optionsFault,
    probe: createDescribedProbe(http),
    lacks: (plan) => templateLack(plan),
    start: (request, context) => startWork(http, request, context),
    check: (operation, context) => checkJob(http, operation as HttpJob, context),
    cancel: (operation, context) => cancelJob(http, operation as HttpJob, context),
  };
}

function optionsFault(options: JsonObject, names: readonly string[] = []): string | OptionFault | undefined {
  const { http_job: description } = options;
  if (description === undefined && names.length > 0)
    return { field: 'http_job', problem: 'is missing: docs/http-job.md begins with the smallest one' };
  const fault = description === undefined ? undefined : descriptionFault(description);
  if (fault !== undefined) return { ...fault, field: fault.field === '' ? 'http_job' : `http_job.${fault.field}` };
  const ofTemplates = templateOptionsFault(options, names, OPTIONS);
  if (ofTemplates !== undefined) return ofTemplates;
  const overwritten = overwrittenPlace(descriptionOf({ options }), object(options['templates']));
  return overwritten && { ...overwritten, field: `http_job.${overwritten.field}` };
}

function createDescribedProbe(http: HttpClient): Probe {
  // Any answer shows that somebody is there.
  const knock = createProbe(http, { path: () => '/', dialect: dialectOf({}, 'status'), isKeyless: true });
  return async (place) => {
    const description = descriptionOf(place.endpoint);
    const { probe } = description;
    if (probe === undefined) {
      const seen = await knock(place);
      return seen.reachable
        ? { ...seen, detail: `${seen.detail}, the key was not shown: http_job has no \`probe\`` }
        : seen;
    }
    const ask = createProbe(http, {
      path: (endpoint) => addressOf(probe.path, { model: endpoint.model }, endpoint),
      headers: () => headersOf(description),
      credentials,
      dialect: dialectOf(description, 'status'),
      isList: true,
      ...(probe.asks === 'nothing' ? { isAboutNothing: true } : {}),
    });
    return ask(place);
  };
}
