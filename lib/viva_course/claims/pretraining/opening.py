"""What the opening and the references state."""

from viva_course.claiming import literature


@literature("Petroni et al. (2019), arXiv:1909.01066", place="table 2, Google-RE, birth-place")
def petroni_birthplaces():
    """BERT-large ranks the right place first for 16.1% of the birthplaces."""


@literature("wuwowuyi, solutions of CS224N, winter 2021", place="assignment5/README.md")
def a_students_report():
    """Pretrained and finetuned, the plain GPT has 125 of 500 right: 25.0%."""


@literature("joeysbase, solutions of CS224N", place="README.md, miniGPT")
def another_students_report():
    """Without pretraining 2.19% on the dev set, where always "London" has 5%; pretrained 24%."""


@literature("Allen-Zhu and Li (2023), arXiv:2309.14316", place="abstract")
def allen_zhu_wordings():
    """Without augmentation such as paraphrasing, knowledge may be memorised and not extractable."""


@literature("Berglund et al. (2023), arXiv:2309.12288", place="abstract")
def reversal_curse():
    """A model trained on "A is B" does not automatically generalise to "B is A"."""
