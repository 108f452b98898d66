export { checkCoverage } from './coverage';
export { readMap } from './document';
export { type ListedSetting, listChannelFields, listSections } from './list-settings';
export type { LoadSettingsOptions, OpenedChannel } from './load-settings';
export { loadSettings } from './load-settings';
export {
  createPartReader,
  createSettingsReader,
  editorSchema,
  MODERATION_MODEL,
  type OpenedSettings,
  openChannel,
  openSettings,
  type PartReader,
  type StoredSecrets,
} from './open-settings';
export { type PriceFault, parsePriceOverride, wordPriceFault } from './prices';
export { isOfSigning, type SecretSources, secretFileOf, storedSecretOf } from './references';
export { lookAtSecretFile } from './secret-file';
export { daysLeft, lifeStage, type Retirement, readServedModel } from './served-model';
export { setAddressFaults } from './set-addresses';
export { setReferenceFaults } from './set-references';
export * from './settings';
export { type FieldFault, SettingsError } from './settings-error';
export { type InForce, writeSettings } from './write-settings';
