export { changeSettings, readSettings } from './setting-steps';
export { listVendorSecrets, removeVendorSecret, resealVendorSecret, setVendorSecret } from './vendor-secrets';
