/** Help on an argument that `readSettingsArgument` reads. */
export const SETTINGS_HELP =
  "fields as the file has them, as '{ weight: 5 }'; `file` gives one back; - reads them from stdin";
