import type { EmailTemplate } from '@forecourt/contract/email-templates';
import { Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import History from 'lucide-react/icons/history';
import Waypoints from 'lucide-react/icons/waypoints';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-templates.ts';
import { texts as usage } from '../../texts/template-usage.ts';
import styles from './TemplateEditor.module.css';

type EditorHeaderProps = {
  /** The saved template; undefined: not saved yet. */
  template: EmailTemplate | undefined;
  name: string;
  isDirty: boolean;
  busy: boolean;
  readOnly: boolean;
  onUsage: () => void;
  onVersions: () => void;
  onSave: () => void;
};

function stateWords({ template, isDirty, readOnly }: EditorHeaderProps): string {
  if (readOnly) return texts.readOnly;
  if (isDirty) return texts.unsaved;
  return template ? texts.allSaved : texts.notSavedYet;
}

/** The header of the editor: name, save state and actions on the template. */
export function EditorHeader(props: EditorHeaderProps): ReactNode {
  const { template, name, isDirty, busy, readOnly, onUsage, onVersions, onSave } = props;
  return (
    <header className="ui-row ui-bottom ui-between ui-gap-3 ui-mb-4">
      <div>
        <Anchor component={Link} to={paths.templates} className="ui-inline ui-quiet ui-mb-1">
          <ChevronLeft size={14} /> {texts.back}
        </Anchor>
        <h1 className="ui-anywhere">{name.trim() || (template ? texts.editTemplate : texts.newTemplate)}</h1>
      </div>
      <div className="ui-row">
        <span className={`ui-quiet ${styles.state}`} data-dirty={isDirty || undefined} role="status">
          {stateWords(props)}
        </span>
        {template && (
          <>
            <Button variant="default" leftSection={<Waypoints />} onClick={onUsage}>
              {usage.title}
            </Button>
            <Button variant="default" leftSection={<History />} onClick={onVersions}>
              {texts.versions}
            </Button>
          </>
        )}
        {!readOnly && (
          <Button loading={busy} onClick={onSave} title="Ctrl+S">
            {texts.save}
          </Button>
        )}
      </div>
    </header>
  );
}
