import type { MusicRequest, MusicSource, Refused } from '@mediagate/contracts';
import type { CallContext, Endpoint } from '../contract';
import type { Confidential } from '../fault-detail';
import type { HttpClient } from '../http-client';
import { submitJob } from '../job-exchange';
import { identifier, object } from '../json-guards';
import { cannotCarry, refused } from '../vendor-call';
import { ttapiErrors } from './errors';
import { isForeign, NOT_OURS, vendorStep } from './request';

/**
 * Gives the vendor a track that it does not have, by its address, so that the job can work on its copy: the request with the
 * vendor's own id of that. Nothing is made of it yet, so that whatever goes wrong leaves the task to another channel; only a
 * track that offends is not handed from vendor to vendor.
 */
export async function handOver(
  http: HttpClient,
  music: MusicRequest,
  { context, confidential }: { context: CallContext; confidential: Confidential },
): Promise<{ ok: true; music: MusicRequest } | { ok: false; refusal: Refused }> {
  const { source } = music;
  const { endpoint } = context;
  if (source === undefined || !isForeign(music, endpoint)) return { ok: true, music };
  const { path, body } = vendorStep({ operation: 'upload', audioUrl: source.audioUrl }, endpoint);
  const reply = await submitJob(http, context, {
    path,
    headers: ttapiKey(endpoint),
    body: { json: body },
    dialect: ttapiErrors,
    confidential,
  });
  if (!reply.ok) return { ok: false, refusal: nothingMade(refused(reply.fault)) };
  const data = object(reply.body['data']);
  const trackId = identifier(data['music_id']) ?? identifier(data['musicId']);
  if (trackId === undefined) return { ok: false, refusal: nothingMade(NO_ID) };
  const taken: MusicSource = { ...source, channelId: endpoint.channelId, trackId };
  return { ok: true, music: { ...music, source: taken } };
}

const NO_ID = refused({ code: 'upstream_fault', detail: 'a song was handed over, and its id cannot be read' });

function nothingMade(refusal: Refused): Refused {
  const { code, detail } = refusal.fault;
  switch (code) {
    case 'bad_request': {
      const { fault } = cannotCarry(NOT_OURS);
      return refused({ ...fault, detail: `the song was not taken: ${detail}` });
    }
    case 'outcome_unknown':
      return refused({ code: 'upstream_fault', detail: `handing the song over: ${detail}` });
    default:
      return refusal;
  }
}

export function ttapiKey({ apiKey }: Endpoint): Record<string, string> {
  return { 'tt-api-key': apiKey };
}
