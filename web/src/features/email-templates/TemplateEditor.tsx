import type { EmailTemplate, TemplateVariable } from '@forecourt/contract/email-templates';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-templates.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ConflictNotice } from '../../ui/ConflictNotice.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { createIntentionKeys } from '../../ui/intention-keys.ts';
import { Page } from '../../ui/PageHeader.tsx';
import { required } from '../../ui/required.ts';
import { Segments } from '../../ui/Segments.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useConflict } from '../../ui/use-conflict.ts';
import { errorWithin, useForm } from '../../ui/use-form.ts';
import { useLeaveWarning } from '../../ui/use-leave-warning.ts';
import { useSaveKey } from '../../ui/use-save-key.ts';
import { BodyEditor } from './body/BodyEditor.tsx';
import { toEditor } from './body/document-conversion.ts';
import { insertVariable, renameVariable } from './body/variable-commands.ts';
import { EditorHeader } from './EditorHeader.tsx';
import { useSaveTemplate } from './email-templates.queries.ts';
import type { SubjectHandle } from './SubjectField.tsx';
import { comparedFields, isSame, valuesOf, type TemplateValues } from './template-values.ts';
import { TemplateFields } from './TemplateFields.tsx';
import { TemplatePreview } from './TemplatePreview.tsx';
import { UsageDrawer } from './UsageDrawer.tsx';
import { isReadOnly, useBodyEditor } from './use-body-editor.ts';
import { countKeys, renameInText } from './variables/variable-keys.ts';
import { VariablesPanel } from './variables/VariablesPanel.tsx';
import { VersionsDrawer } from './VersionsDrawer.tsx';
import styles from './TemplateEditor.module.css';

type View = 'write' | 'preview';

/** The template editor: name, status, subject, body and variables; a preview on a real deal; all versions. */
export function TemplateEditor({ template }: { template: EmailTemplate | undefined }): ReactNode {
  const navigate = useNavigate();
  const { mutateAsync } = useSaveTemplate();
  const [saved, setSaved] = useState(template);
  const [keyFor] = useState(createIntentionKeys);
  const [view, setView] = useState<View>('write');
  const [drawer, setDrawer] = useState<'usage' | 'versions' | null>(null);
  const writesSubject = useRef(false);
  const subject = useRef<SubjectHandle>(null);
  const formElement = useRef<HTMLFormElement>(null);
  const readOnly = isReadOnly(saved);

  const form = useForm<TemplateValues>({
    initial: valuesOf(template),
    validate: required({ name: texts.nameRequired, subject: texts.subjectRequired }),
    failed: template === undefined ? texts.createFailed : texts.updateFailed,
    submit: async (values) => {
      const version = base?.version;
      const input = version === undefined ? values : { ...values, version };
      try {
        const stored = await mutateAsync({ id: saved?._id, input, idempotencyKey: keyFor(input) });
        setSaved(stored);
        conflict.clear();
        toastDone(texts.saved);
      } catch (thrown) {
        if (!(thrown instanceof ApiError && thrown.code === 'CONFLICT' && base)) throw thrown;
        conflict.meet(base, thrown.current as EmailTemplate, values);
      }
    },
  });
  const { values, set } = form;
  const isDirty = !readOnly && !isSame(values, valuesOf(saved));
  const leaving = useLeaveWarning(isDirty && !form.busy);
  const { editor, keys } = useBodyEditor(values.document, readOnly, (document) => set('document', document));
  const counts = countKeys(values.subject, values.document);

  // A new template gets its own address, but not while somebody goes on writing: that would start the editor anew.
  const settledId = template === undefined && !isDirty ? saved?._id : undefined;
  useEffect(() => {
    if (settledId === undefined) return;
    void navigate({ to: paths.editTemplate(settledId), replace: true, ignoreBlocker: true });
  }, [settledId, navigate]);

  useSaveKey(() => !readOnly && formElement.current?.requestSubmit());

  const insert = ({ key }: TemplateVariable): void => {
    setView('write');
    if (writesSubject.current) subject.current?.insert(key);
    else insertVariable(editor, key);
  };

  const rename = (from: string, to: string): void => {
    set('subject', renameInText(values.subject, from, to));
    renameVariable(editor, from, to);
  };

  const put = (field: keyof TemplateValues, theirs: TemplateValues): void => {
    set(field, theirs[field]);
    if (field === 'document') editor.commands.setContent(toEditor(theirs.document));
  };
  const conflict = useConflict<EmailTemplate, TemplateValues>({ fields: comparedFields, valuesOf, put });
  const openAgain = (restored: EmailTemplate): void => {
    setSaved(restored);
    conflict.clear();
    for (const { field } of comparedFields) put(field, valuesOf(restored));
  };
  // What the next save is a change of.
  const base = conflict.record ?? saved;

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
        onSave={() => formElement.current?.requestSubmit()}
      />
      <div className={styles.columns}>
        <div className={styles.main}>
          <form ref={formElement} className={styles.form} onSubmit={form.onSubmit} noValidate>
            <FormMessage text={form.message ?? form.errors['variables'] ?? null} />
            {conflict.changes && <ConflictNotice changes={conflict.changes} onTake={conflict.take} />}
            <TemplateFields
              form={form}
              readOnly={readOnly}
              subjectRef={subject}
              onSubjectFocus={() => {
                writesSubject.current = true;
              }}
            />
          </form>
          <Segments
            className={styles.view}
            aria-label={texts.view}
            data={[
              { value: 'write', label: texts.write },
              { value: 'preview', label: texts.preview },
            ]}
            value={view}
            onChange={setView}
          />
          <div
            hidden={view !== 'write'}
            onFocus={() => {
              writesSubject.current = false;
            }}
          >
            <BodyEditor
              editor={editor}
              keys={keys}
              variables={values.variables}
              error={errorWithin(form.errors, 'document')}
            />
          </div>
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
      {saved && drawer === 'usage' && <UsageDrawer template={saved} onClose={() => setDrawer(null)} />}
      {saved && drawer === 'versions' && (
        <VersionsDrawer
          template={saved}
          isDirty={isDirty}
          onRestored={openAgain}
          onClose={() => setDrawer(null)}
        />
      )}
      {leaving && (
        <ConfirmDialog
          title={texts.leaveTitle}
          confirmLabel={texts.leave}
          destructive
          onConfirm={async () => leaving.proceed()}
          onClose={leaving.reset}
        >
          {texts.leaveQuestion}
        </ConfirmDialog>
      )}
    </Page>
  );
}
