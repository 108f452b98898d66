import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter } from '../contract';
import { JOB_OPTIONS } from '../job-exchange';
import type { Clients } from '../protocol';
import { readVideoRequest } from '../video-call';
import { createKlingCall } from './call';
import { createKlingJobs } from './jobs';
import { createKlingProbe } from './probe';
import { klingLack } from './request';
import { createLegacyWire, numberElements } from './videos';

/** `omni_models`: for models whose omni variant is not called as they are with `-omni` behind. */
export const KLING_OPTIONS: OptionRules = { ...JOB_OPTIONS, omni_models: { kind: 'names' } };

/**
 * Kling videos by `POST /v1/videos/{text2video|image2video|omni-video}` and `GET` of the same path with an id: the older of the
 * vendor's two wires. A channel maps a public model to the vendor's, as `kling-v3`; its key is the vendor's key, or
 * `access:secret`.
 */
export default function createKlingVideo({ http }: Clients): Adapter {
  const call = createKlingCall(http, numberElements);
  return {
    protocol: 'kling-video',
    families: ['video'],
    afterLostAnswer: 'lookup',
    checkOptions: (options) => checkAgainst(KLING_OPTIONS, options),
    probe: createKlingProbe(http),
    lacks: ({ request, files }) => klingLack(readVideoRequest(request), files),
    ...createKlingJobs(call, createLegacyWire(call)),
  };
}
