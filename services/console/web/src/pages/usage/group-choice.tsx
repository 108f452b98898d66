import { Select, TextInput } from '@mantine/core';
import { submitted } from '../../parts/submitted.ts';
import { say } from './texts.ts';

const GROUPS = ['model', 'family', 'key'] as const;
/** A group by metadata of the caller's own, whose name follows. */
const METADATA = 'metadata.';

interface GroupChoiceProps {
  /** A group of the API's; `metadata.` until the metadata is named. */
  by: string;
  onChange(by: string): void;
}

export function GroupChoice({ by, onChange }: GroupChoiceProps) {
  const isMetadata = by.startsWith(METADATA);
  const submit = submitted((fields) => onChange(METADATA + String(fields.get('name')).trim()));
  return (
    <>
      <Select
        aria-label={say('group')}
        allowDeselect={false}
        data={[
          ...GROUPS.map((value) => ({ value, label: say(`group.${value}`) })),
          { value: METADATA, label: say('group.more') },
        ]}
        value={isMetadata ? METADATA : by}
        onChange={(value) => onChange(value ?? 'model')}
      />
      {isMetadata && (
        <form onSubmit={submit}>
          <TextInput
            name="name"
            aria-label={say('group.more')}
            placeholder="project"
            defaultValue={by.slice(METADATA.length)}
            required
          />
        </form>
      )}
    </>
  );
}

/** The group to ask for: that of models until the metadata is named. */
export function groupOf(by: string): string {
  return by === METADATA ? 'model' : by;
}

export function groupTitle(group: string): string {
  if (group.startsWith(METADATA)) return say('group.metadata', { name: group.slice(METADATA.length) });
  return say(`group.${group}` as 'group.model');
}
