import { loadCatalogue } from '@mediagate/catalog';
import type { OpenedConfiguration } from './open-configuration';

/** The model of a name. The configuration may describe models; it is opened where the catalogue of this build has none of that name. */
export function modelNamed(name: string, opened: () => OpenedConfiguration): { entry: { id: string } } | undefined {
  const entry = loadCatalogue().find(name) ?? opened().catalogue.find(name);
  return entry && { entry };
}
