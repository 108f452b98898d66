import { type Catalogue, loadCatalogue } from '@mediagate/catalog';
import { SettingsError } from '@mediagate/settings';
import { tryConfiguration } from './open-configuration';
import { Refusal } from './refusal';
import type { Session } from './session';

/** The ids that keys are checked against, of names that callers may use. */
export function modelIds(session: Session, names: readonly string[]): string[] {
  const catalogue = catalogueWith(session, names);
  return names.map((name) => {
    const id = catalogue.find(name)?.id;
    if (id !== undefined) return id;
    throw new Refusal(`there is no model ${JSON.stringify(name)}: use ${catalogue.modelIds.join(', ')}`);
  });
}

/** The configuration may describe models; it is opened where the catalogue of this build has not all of the names. */
function catalogueWith(session: Session, names: readonly string[]): Catalogue {
  const catalogue = loadCatalogue();
  const missing = names.find((name) => catalogue.find(name) === undefined);
  if (missing === undefined) return catalogue;
  const opened = tryConfiguration(session);
  if (!(opened instanceof SettingsError)) return opened.catalogue;
  const [fault] = opened.faults;
  throw new Refusal(
    `the catalogue has no model ${JSON.stringify(missing)}, and the configuration is not right: ${fault}`,
  );
}
