import { describeOriginOfAny, findOrigin } from '../../http/body/find-origin';
import { sendJson } from '../../http/exchange';
import type { OperatorHandler } from '../../http/route';

/** POST /admin/v1/provenance/verify */
export const adminVerifyFile: OperatorHandler = async (call, { database, origins }) => {
  const found = await findOrigin(call, origins, {
    owner: { accountId: `operator:${call.operator.id}` },
    hasResults: async () => (await database.hasFingerprints()).length > 0,
    findResults: (sought) => database.findFingerprints(sought),
  });
  // It tells whose results they are.
  const seen = { results: found.results.map(({ taskId }) => taskId) };
  await database.noteSeen(
    { action: 'file.verify', subject: found.sha256.toString('hex'), seen },
    { actor: call.operator.actor },
  );
  sendJson(call.response, 200, { code: 200, data: describeOriginOfAny(found) });
};
