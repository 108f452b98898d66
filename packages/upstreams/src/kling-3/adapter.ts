import { checkAgainst } from '../channel-options';
import type { Adapter } from '../contract';
import { KLING_OPTIONS } from '../kling-video/adapter';
import { createKlingCall } from '../kling-video/call';
import { createKlingJobs } from '../kling-video/jobs';
import { createKlingProbe } from '../kling-video/probe';
import type { Clients } from '../protocol';
import { readVideoRequest } from '../video-call';
import { seriesThreeLack } from './request';
import { createTaskWire } from './tasks';

/**
 * Kling videos by `POST /{text-to-video|image-to-video|omni-video}/{model}` and `GET /tasks`: the newer of the vendor's two wires,
 * which its documents begin with (kling.ai/document-api, pages of Series 3.0, as cited by its clients in September 2026). A channel
 * maps a public model to `kling-3.0`; its key is the single one that the vendor gives since July 2026. No source says that this wire
 * takes a pair `access:secret`, which is for the older one.
 *
 * Two clients say that tasks are listed by our reference, and no document of the vendor does: a lost answer is never re-sent.
 */
export default function createKlingThree({ http }: Clients): Adapter {
  const call = createKlingCall(http);
  const { start, check } = createKlingJobs(call, createTaskWire(call));
  return {
    protocol: 'kling-3',
    families: ['video'],
    afterLostAnswer: 'never',
    checkOptions: (options) => checkAgainst(KLING_OPTIONS, options),
    probe: createKlingProbe(http),
    lacks: ({ request, files }) => seriesThreeLack(readVideoRequest(request), files),
    start,
    check,
  };
}
