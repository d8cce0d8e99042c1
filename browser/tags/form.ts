import '../form.ts'
