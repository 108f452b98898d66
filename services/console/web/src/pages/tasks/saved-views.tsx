import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { Bookmark, BookmarkPlus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { say as sayFrame } from '../../frame/texts.ts';
import { submitted } from '../../parts/submitted.ts';
import { useStored } from '../../parts/use-stored.ts';
import { say } from './texts.ts';

interface View {
  name: string;
  search: string;
}

const NONE: readonly View[] = [];

/** Filters by a name of the reader's, kept in this browser. */
export function SavedViews() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const [views, setViews] = useStored('tasks-views', NONE);
  const [naming, setNaming] = useState(false);
  const current = views.find((view) => view.search === search);
  const save = (name: string) => {
    setViews([...views.filter((view) => view.name !== name), { name, search }]);
    setNaming(false);
  };
  return (
    <>
      <Menu position="bottom-end" shadow="md" width={220}>
        <Menu.Target>
          <Button variant="default" leftSection={<Bookmark size={14} />}>
            {current?.name ?? say('views')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void navigate('/tasks')}>{say('views.all')}</Menu.Item>
          {views.map((view) => (
            <Menu.Item key={view.name} onClick={() => void navigate(`/tasks${view.search}`)}>
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<BookmarkPlus size={14} />} disabled={search === ''} onClick={() => setNaming(true)}>
            {say('views.save')}
          </Menu.Item>
          {current !== undefined && (
            <Menu.Item
              leftSection={<Trash2 size={14} />}
              onClick={() => setViews(views.filter((view) => view !== current))}
            >
              {say('views.remove', { name: current.name })}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <NameDialog opened={naming} onClose={() => setNaming(false)} onSave={save} />
    </>
  );
}

interface NameDialogProps {
  opened: boolean;
  onClose(): void;
  onSave(name: string): void;
}

function NameDialog({ opened, onClose, onSave }: NameDialogProps) {
  const submit = submitted((fields) => onSave(String(fields.get('name')).trim()));
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={say('views.save')}
      closeButtonProps={{ 'aria-label': sayFrame('close') }}
    >
      <form className="stack" onSubmit={submit}>
        <TextInput label={say('views.name')} name="name" maxLength={60} required data-autofocus />
        <Button type="submit">{sayFrame('save')}</Button>
      </form>
    </Modal>
  );
}
