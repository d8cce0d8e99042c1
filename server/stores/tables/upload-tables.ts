// The shape of the records of files that visitors send with forms. The last interface names the tables.

/**
 * A file in storage, also one that is still arriving or being deleted: whatever lies there has a row. It is
 * swept once it belongs to nothing and its time is over.
 */
interface UploadTable {
  /** Its name in storage. */
  id: string
  property_id: string
  /** Reserved while it arrives: as many as it may have. */
  bytes: number
  /** Until then a form may be sent with it; 0 once one was. */
  expires_ms: number
  /** The same as `id` while it belongs to a submission; null before, and after. */
  attached_id: string | null
  /** As in form_sessions; '' once it belongs to a submission, like all below. */
  address_mac: string
  /** The form session it was sent for (token_hash); '': a plain form, which is sent with its files. */
  session_hash: string
  field: string
  /** As the visitor's browser named it: shown, and never a path. */
  name: string
  /** By its content; '' until all of it is there. */
  type: string
  /** Hex. */
  sha256: string
}

/** A file of a submission. */
export interface SubmissionFileTable {
  id: string
  property_id: string
  submission_id: string
  field: string
  /** In the order in which they were sent. */
  place: number
  name: string
  type: string
  bytes: number
  sha256: string
}

export interface UploadTables {
  submission_files: SubmissionFileTable
  uploads: UploadTable
}
