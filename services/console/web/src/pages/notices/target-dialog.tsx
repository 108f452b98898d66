import { say as sayFrame } from '../../frame/texts.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { fieldsOf, useForm } from '../../parts/fields.tsx';
import { LANGUAGES } from '../../texts/language-names.ts';
import { currentLanguage } from '../../texts/languages.ts';
import type { Audience } from './audience.ts';
import type { Kind } from './notice-kinds.ts';
import { TARGETS, type Target } from './queries.ts';
import { say } from './texts.ts';

const MEDIA = ['email', 'webhook', 'slack'] as const;
const LANGUAGE_WORDS = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));
type Medium = (typeof MEDIA)[number];

interface TargetDialogProps {
  audience: Audience;
  /** Absent: a new one is made. */
  changed?: Target;
  onDone(target: Target): void;
  onClose(): void;
}

interface Fields {
  medium: Medium;
  address: string;
  kinds: Kind[];
  language: string;
}

/** Adds a target for notices, or changes which notices a target gets. Another address is another target. */
export function TargetDialog({ audience, changed, onDone, onClose }: TargetDialogProps) {
  const { root, isOperator } = audience;
  const form = useForm<Fields>({
    medium: 'email',
    address: changed?.address ?? '',
    kinds: (changed?.kinds as Kind[] | undefined) ?? [],
    language: changed?.language ?? currentLanguage(),
  });
  const { values } = form;
  const { kinds, language } = values;
  const isNew = changed === undefined;
  const media = MEDIA.map((value) => ({ value, label: say(`medium.${value}`) }));
  return (
    <ChangeDialog<Target>
      title={changed === undefined ? say('target.add') : say('target.change.one', { name: changed.address })}
      about={say(aboutOf(changed, isOperator))}
      action={say(changed === undefined ? 'target.add' : 'settings.save')}
      asksReason={isOperator}
      method={changed === undefined ? 'POST' : 'PATCH'}
      path={changed === undefined ? `${root}/targets` : `${root}/targets/${changed.id}`}
      body={changed === undefined ? { ...values, address: values.address.trim() } : { kinds, language }}
      affects={[TARGETS]}
      disabled={values.address.trim() === ''}
      onDone={onDone}
      onClose={onClose}
    >
      {fieldsOf(form, [
        isNew && { kind: 'choice', name: 'medium', label: say('target.medium'), labelHidden: true, words: media },
        isNew && { ...addressOf(values.medium), label: say('target.address') },
        {
          kind: 'several',
          name: 'kinds',
          label: say('target.kinds'),
          placeholder: say('target.all'),
          words: audience.kinds.map((value) => ({ value, label: say(`kind.${value}`) })),
        },
        { kind: 'select', name: 'language', label: sayFrame('language.label'), words: LANGUAGE_WORDS },
      ])}
    </ChangeDialog>
  );
}

function aboutOf(changed: Target | undefined, isOperator: boolean) {
  if (changed !== undefined) return 'target.change.about';
  return isOperator ? 'target.add.operator' : 'target.add.account';
}

function addressOf(medium: Medium) {
  const field = { kind: 'text', name: 'address', required: true } as const;
  return medium === 'email'
    ? ({ ...field, type: 'email', placeholder: 'on-call@example.com' } as const)
    : ({ ...field, type: 'url', placeholder: 'https://example.com/notices' } as const);
}
