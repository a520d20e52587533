import type { EmailTemplate, TemplateVariable, TemplateDocument } from '@forecourt/contract/email-templates';
import { Anchor, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, Link } from '@tanstack/react-router';
import { Selection } from '@tiptap/pm/state';
import { useEditor, type Editor } from '@tiptap/react';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import History from 'lucide-react/icons/history';
import Waypoints from 'lucide-react/icons/waypoints';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-templates.ts';
import { texts as usage } from '../../texts/template-usage.ts';
import { ConflictNotice } from '../../ui/ConflictNotice.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { LeaveWarning } from '../../ui/LeaveWarning.tsx';
import { Page } from '../../ui/PageHeader.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { errorWithin } from '../../ui/use-form.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { useSaveKey } from '../../ui/use-window-key.ts';
import { bodyExtensions } from './body/body-extensions.ts';
import { BodyEditor } from './body/BodyEditor.tsx';
import { toEditor, fromEditor } from './body/document-conversion.ts';
import { createKeyRelay, SuggestionKeys, type KeyRelay } from './body/suggestion.ts';
import { insertVariable, renameVariable } from './body/variable-commands.ts';
import { templateUsesQuery, useSaveTemplate } from './email-templates.queries.ts';
import { comparedFields, isSame, valuesOf, type TemplateValues } from './template-values.ts';
import { TemplateFields, type SubjectHandle } from './TemplateFields.tsx';
import { TemplatePreview } from './TemplatePreview.tsx';
import { UsageDrawer } from './UsageDrawer.tsx';
import { DeclaredVariables, DeclareVariable } from './variable-choices.ts';
import { countKeys, renameInText } from './variables/variable-keys.ts';
import { VariablesPanel } from './variables/VariablesPanel.tsx';
import { VersionsDrawer } from './VersionsDrawer.tsx';
import styles from './TemplateEditor.module.css';

/** The template editor: name, status, subject, body, variables, a preview with a real deal, and all versions. */
export function TemplateEditor({ template }: { template: EmailTemplate | undefined }): ReactNode {
  const navigate = useNavigate();
  const { mutateAsync } = useSaveTemplate();
  const [view, setView] = useState<keyof typeof texts.views>('write');
  const [drawer, setDrawer] = useState<'usage' | 'versions' | null>(null);
  const writesSubject = useRef(false);
  const subject = useRef<SubjectHandle>(null);
  const formElement = useRef<HTMLFormElement>(null);
  const uses = useQuery({ ...templateUsesQuery, enabled: template !== undefined });

  const form = useRecordForm({
    record: template,
    valuesOf,
    inputOf: (values, base) => (base ? { ...values, version: base.version } : values),
    schema: 'template',
    fields: comparedFields,
    put,
    failed: template === undefined ? texts.createFailed : texts.updateFailed,
    save: (input, idempotencyKey, base) => mutateAsync({ id: base?._id, input, idempotencyKey }),
    sent: texts.saved,
  });
  const { values, set, base: saved, conflict } = form;
  const readOnly = isReadOnly(saved);
  const usedBy = uses.data?.items.find(({ _id }) => _id === saved?._id)?.dealerships ?? 0;
  const isDirty = !readOnly && !isSame(values, valuesOf(saved));
  const { editor, keys } = useBodyEditor(values.document, readOnly, (document) => set('document', document));
  const counts = countKeys(values.subject, values.document);

  // After its first save a template gets its own URL, but not during typing: it would mount the editor again.
  const createdId = template === undefined && !isDirty ? saved?._id : undefined;
  useEffect(() => {
    if (createdId === undefined) return;
    void navigate({ to: paths.editTemplate(createdId), replace: true, ignoreBlocker: true });
  }, [createdId, navigate]);

  const submit = (): void => formElement.current?.requestSubmit();
  useSaveKey(() => !readOnly && submit());

  const insert = ({ key }: TemplateVariable): void => {
    setView('write');
    if (writesSubject.current) subject.current?.insert(key);
    else insertVariable(editor, key);
  };

  const declare = (variable: TemplateVariable): void => {
    if (values.variables.some(({ key }) => key === variable.key)) return;
    set('variables', [...values.variables, variable]);
  };

  const rename = (from: string, to: string): void => {
    set('subject', renameInText(values.subject, from, to));
    renameVariable(editor, from, to);
  };

  function put(field: keyof TemplateValues, newValues: TemplateValues): void {
    set(field, newValues[field]);
    if (field === 'document') editor.commands.setContent(toEditor(newValues.document));
  }

  return (
    <Page wide>
      <EditorHeader
        template={saved}
        name={values.name}
        isDirty={isDirty}
        busy={form.busy}
        readOnly={readOnly}
        onUsage={() => setDrawer('usage')}
        onVersions={() => setDrawer('versions')}
        onSave={submit}
      />
      <div className={styles.columns}>
        <div className="ui-stack">
          <DeclaredVariables value={values.variables}>
            <DeclareVariable value={declare}>
              <form ref={formElement} className="ui-stack" onSubmit={form.onSubmit} noValidate>
                <FormMessage text={form.message ?? errorWithin(form.errors, 'variables') ?? null} />
                {conflict.changes && <ConflictNotice changes={conflict.changes} onTake={conflict.take} />}
                <TemplateFields
                  form={form}
                  readOnly={readOnly}
                  usedBy={usedBy}
                  subjectRef={subject}
                  onSubjectFocus={() => {
                    writesSubject.current = true;
                  }}
                />
              </form>
              <Segments
                className={styles.view}
                aria-label={texts.view}
                labels={texts.views}
                value={view}
                onChange={setView}
              />
              <div
                hidden={view !== 'write'}
                onFocus={() => {
                  writesSubject.current = false;
                }}
              >
                <BodyEditor editor={editor} keys={keys} error={errorWithin(form.errors, 'document')} />
              </div>
            </DeclareVariable>
          </DeclaredVariables>
          {view === 'preview' && <TemplatePreview values={values} template={saved} isDirty={isDirty} />}
        </div>
        <VariablesPanel
          variables={values.variables}
          counts={counts}
          readOnly={readOnly}
          onInsert={insert}
          onChange={(variables) => set('variables', [...variables])}
          onRename={rename}
        />
      </div>
      {!readOnly && (
        <footer className={`ui-foot ui-stays ${styles.foot}`}>
          <Button fullWidth loading={form.busy} onClick={submit}>
            {texts.save}
          </Button>
        </footer>
      )}
      {saved && drawer === 'usage' && <UsageDrawer template={saved} onClose={() => setDrawer(null)} />}
      {saved && drawer === 'versions' && (
        <VersionsDrawer
          template={saved}
          isDirty={isDirty}
          onRestored={form.reset}
          onClose={() => setDrawer(null)}
        />
      )}
      <LeaveWarning when={isDirty && !form.busy} title={texts.leaveTitle} confirmLabel={texts.leave}>
        {texts.leaveQuestion}
      </LeaveWarning>
    </Page>
  );
}

type EditorHeaderProps = {
  /** Undefined before the first save. */
  template: EmailTemplate | undefined;
  name: string;
  isDirty: boolean;
  busy: boolean;
  readOnly: boolean;
  onUsage: () => void;
  onVersions: () => void;
  onSave: () => void;
};

function stateText({ template, isDirty, readOnly }: EditorHeaderProps): string {
  if (readOnly) return texts.readOnly;
  if (isDirty) return texts.unsaved;
  return template ? texts.allSaved : texts.notSavedYet;
}

function EditorHeader(props: EditorHeaderProps): ReactNode {
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
          {stateText(props)}
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
          <Button className={styles.save ?? ''} loading={busy} onClick={onSave} title="Ctrl+S">
            {texts.save}
          </Button>
        )}
      </div>
    </header>
  );
}

/** Returns the editor of the body, and passes its keys to the list of variables. */
function useBodyEditor(
  initial: TemplateDocument,
  readOnly: boolean,
  onChange: (document: TemplateDocument) => void,
): { editor: Editor; keys: KeyRelay } {
  const [keys] = useState(createKeyRelay);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const [extensions] = useState(() => [
    ...bodyExtensions,
    SuggestionKeys.configure({ onKeyDown: keys.handle }),
  ]);
  const [content] = useState(() => toEditor(initial));
  const editor = useEditor({
    extensions,
    content,
    editable: !readOnly,
    injectCSS: false,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': texts.body, spellcheck: 'true' },
    },
    onCreate: ({ editor: created }) => {
      // Avoids selecting an image at the beginning, which the first insertion would replace.
      const start = Selection.findFrom(created.state.doc.resolve(0), 1, true);
      if (start) created.view.dispatch(created.state.tr.setSelection(start));
    },
    onUpdate: ({ editor: changed }) => latest.current(fromEditor(changed.getJSON())),
  });
  return { editor, keys };
}

/** Whether the user may not change a template. A new template is their own. */
const isReadOnly = (template: EmailTemplate | undefined): boolean =>
  template !== undefined && template.abilities.edit !== true;
