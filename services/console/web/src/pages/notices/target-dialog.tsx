import { MultiSelect, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { say as sayFrame } from '../../frame/texts.ts';
import { ChangeDialog, type FaultOf } from '../../parts/change-dialog.tsx';
import { LANGUAGES } from '../../texts/language-names.ts';
import { currentLanguage } from '../../texts/languages.ts';
import type { Audience } from './audience.ts';
import type { Kind } from './notice-kinds.ts';
import { TARGETS, type Target } from './queries.ts';
import { say } from './texts.ts';

const MEDIA = ['email', 'webhook', 'slack'] as const;
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
  const [fields, setFields] = useState<Fields>({
    medium: 'email',
    address: changed?.address ?? '',
    kinds: (changed?.kinds as Kind[] | undefined) ?? [],
    language: changed?.language ?? currentLanguage(),
  });
  const { kinds, language } = fields;
  return (
    <ChangeDialog<Target>
      title={changed === undefined ? say('target.add') : say('target.change.one', { name: changed.address })}
      about={say(aboutOf(changed, isOperator))}
      action={say(changed === undefined ? 'target.add' : 'settings.save')}
      asksReason={isOperator}
      method={changed === undefined ? 'POST' : 'PATCH'}
      path={changed === undefined ? `${root}/targets` : `${root}/targets/${changed.id}`}
      body={changed === undefined ? { ...fields, address: fields.address.trim() } : { kinds, language }}
      affects={[TARGETS]}
      disabled={fields.address.trim() === ''}
      onDone={onDone}
      onClose={onClose}
    >
      {(faultOf) => (
        <FieldInputs
          fields={fields}
          isNew={changed === undefined}
          kinds={audience.kinds}
          faultOf={faultOf}
          onChange={(changes) => setFields({ ...fields, ...changes })}
        />
      )}
    </ChangeDialog>
  );
}

function aboutOf(changed: Target | undefined, isOperator: boolean) {
  if (changed !== undefined) return 'target.change.about';
  return isOperator ? 'target.add.operator' : 'target.add.account';
}

interface FieldInputsProps {
  fields: Fields;
  isNew: boolean;
  kinds: readonly Kind[];
  faultOf: FaultOf;
  onChange(changes: Partial<Fields>): void;
}

function FieldInputs({ fields, isNew, kinds, faultOf, onChange }: FieldInputsProps) {
  const { medium } = fields;
  return (
    <>
      {isNew && (
        <>
          <SegmentedControl
            aria-label={say('target.medium')}
            data={MEDIA.map((value) => ({ value, label: say(`medium.${value}`) }))}
            value={medium}
            onChange={(value) => onChange({ medium: value as Medium })}
          />
          <TextInput
            label={say('target.address')}
            type={medium === 'email' ? 'email' : 'url'}
            placeholder={medium === 'email' ? 'on-call@example.com' : 'https://example.com/notices'}
            required
            withAsterisk={false}
            value={fields.address}
            error={faultOf('address')}
            onChange={({ currentTarget }) => onChange({ address: currentTarget.value })}
            data-autofocus
          />
        </>
      )}
      <MultiSelect
        label={say('target.kinds')}
        placeholder={say('target.all')}
        data={kinds.map((value) => ({ value, label: say(`kind.${value}`) }))}
        value={fields.kinds}
        error={faultOf('kinds')}
        clearButtonProps={{ 'aria-label': sayFrame('close') }}
        onChange={(value) => onChange({ kinds: value as Kind[] })}
      />
      <Select
        label={sayFrame('language.label')}
        allowDeselect={false}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
        value={fields.language}
        error={faultOf('language')}
        onChange={(value) => onChange({ language: value ?? fields.language })}
      />
    </>
  );
}
