import type {
  EmailTemplate,
  EmailTemplateInput,
  TemplateDocument,
} from '@forecourt/contract/email-templates';
import { hashKey } from '@tanstack/react-query';
import { texts } from '../../texts/email-templates.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { fromEditor, toEditor } from './body/document-conversion.ts';

/** The fields of a template that a user edits. */
export type TemplateValues = Omit<EmailTemplateInput, 'version' | 'status'> & {
  status: EmailTemplate['status'];
};

/** Returns the body as the editor would return it, so that opening a template is no change. */
const normalised = (document: TemplateDocument): TemplateDocument => fromEditor(toEditor(document));

export const valuesOf = (template: EmailTemplate | undefined): TemplateValues => ({
  name: template?.name ?? '',
  subject: template?.subject ?? '',
  status: template?.status ?? 'draft',
  document: normalised(template?.document ?? { blocks: [] }),
  variables: template?.variables ?? [],
});

/** Returns equal texts for equal content, regardless of the order of properties. */
const hashOf = (content: unknown): string => hashKey([content]);

export const isSame = (a: TemplateValues, b: TemplateValues): boolean =>
  a.name === b.name &&
  a.subject === b.subject &&
  a.status === b.status &&
  hashOf([a.document, a.variables]) === hashOf([b.document, b.variables]);

export const comparedFields: readonly ComparedField<TemplateValues>[] = [
  { field: 'name', label: texts.name },
  { field: 'subject', label: texts.subject },
  { field: 'status', label: texts.status, text: ({ status }) => texts.statusLabels[status] },
  {
    field: 'document',
    label: texts.body,
    text: () => texts.conflictBody,
    exact: ({ document }) => hashOf(document),
  },
  {
    field: 'variables',
    label: texts.variables,
    text: ({ variables }) => variables.map(({ label }) => label).join(', ') || texts.conflictNone,
    exact: ({ variables }) => hashOf(variables),
  },
];
