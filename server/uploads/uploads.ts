// What other folders know of files that visitors send with forms.
export { attachUploads, fileAnswer, fileFieldsOf, fileText, findFilesOf } from './answers.ts'
export { sizeText } from './file-names.ts'
export { openFile } from './download.ts'
export { fileLink } from './links.ts'
export { discardUpload, type PendingUpload, receiveFile } from './receive.ts'
export { listFiles, type SubmissionFile } from './records.ts'
export { openUploads, type UploadStorage } from './storage.ts'
export { sweepUploads } from './sweep.ts'
