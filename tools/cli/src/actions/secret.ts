import { openVendorSealer, resealSecrets } from '@mediagate/channels';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';

export async function reseal(session: Session, { reason }: { reason?: string }): Promise<Answer> {
  const sealer = openVendorSealer(session.deployment.sealing());
  if (sealer === undefined) throw new Refusal('set MEDIAGATE_SEALING_SECRET, as for the services');
  const database = await session.openDatabase();
  const change = { actor: session.actor, ...(reason !== undefined && { reason }) };
  const count = await resealSecrets({ database }, sealer, change);
  const text = `${count} sealed under MEDIAGATE_SEALING_SECRET: MEDIAGATE_PREVIOUS_SEALING_SECRET may go`;
  return { json: { resealed: count }, text };
}
