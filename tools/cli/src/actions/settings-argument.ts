import { readFields } from '@mediagate/channels';
import type { JsonObject } from '@mediagate/contracts';
import { readMap } from '@mediagate/settings';
import { Refusal } from '../refusal';
import type { Session } from '../session';

/** A map as YAML or JSON, from the words of the command or from the standard input. */
export async function readSettingsArgument(session: Session, given: string): Promise<JsonObject> {
  const fields = readFields(readMap(given === '-' ? await session.readInput() : given));
  if (fields === undefined)
    throw new Refusal("settings are a map, as '{ weight: 5, base_url: https://vendor.example }'");
  return fields;
}
