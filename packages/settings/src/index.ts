export { checkCoverage } from './coverage';
export { type ListedSetting, listChannelFields, listSections } from './list-settings';
export type { LoadSettingsOptions } from './load-settings';
export { loadSettings } from './load-settings';
export { editorSchema, MODERATION_MODEL, openChannel, openSettings } from './open-settings';
export { type PriceFault, parsePriceOverride, wordPriceFault } from './prices';
export { daysLeft, lifeStage, type Retirement, readServedModel } from './served-model';
export * from './settings';
export { SettingsError } from './settings-error';
