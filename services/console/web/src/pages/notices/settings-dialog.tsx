import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { fieldsOf, useForm } from '../../parts/fields.tsx';
import type { Audience } from './audience.ts';
import { SETTINGS, type Settings } from './queries.ts';
import { say } from './texts.ts';

const LEAST = { low_balance: 0, callbacks_failed: 1, channel_minutes: 0, repeat_minutes: 0, quiet_minutes: 1 };
type Name = keyof typeof LEAST;
/** The share of a quota at which a notice is sent is typed as a list. */
type Fields = Partial<Record<Name, number | null>> & { key_quota_percents?: string };

interface SettingsDialogProps {
  audience: Audience;
  settings: Settings;
  onClose(): void;
}

/** Only what was changed is sent; empty gives a field back to operators, or to its default. */
export function SettingsDialog({ audience: { root, isOperator }, settings, onClose }: SettingsDialogProps) {
  const { values: changed, change } = useForm<Fields>({});
  const { key_quota_percents: percents } = changed;
  const values = { ...settings, key_quota_percents: settings.key_quota_percents.join(' '), ...changed };
  const names = (Object.keys(LEAST) as Name[]).filter((name) => settings[name] !== undefined);
  return (
    <ChangeDialog
      title={say('settings')}
      about={say(isOperator ? 'settings.operator' : 'settings.account')}
      action={say('settings.save')}
      asksReason={isOperator}
      method="PATCH"
      path={`${root}/settings`}
      body={{ ...changed, ...(percents !== undefined && { key_quota_percents: percentsIn(percents) }) }}
      affects={[SETTINGS]}
      disabled={Object.keys(changed).length === 0}
      done={say('settings.done')}
      onClose={onClose}
    >
      {fieldsOf({ values, change }, [
        { kind: 'text', name: 'key_quota_percents', label: say('set.key_quota_percents') },
        ...names.map((name) => ({
          kind: name === 'low_balance' ? ('amount' as const) : ('count' as const),
          name,
          label: say(`set.${name}`),
          about: name.endsWith('minutes') ? say('inMinutes') : undefined,
          min: LEAST[name],
          empty: null,
        })),
      ])}
    </ChangeDialog>
  );
}

/** Null: as operators have it. The API refuses words that are no numbers. */
function percentsIn(text: string): number[] | null {
  const words = text.split(/[\s,%]+/).filter(Boolean);
  return words.length === 0 ? null : words.map(Number);
}
