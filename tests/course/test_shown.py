"""What a long test has shown holds until something that it rests on changes."""

import shown


def test_it_is_known_until_a_file_or_a_word_changes(tmp_path, monkeypatch):
    monkeypatch.setattr(shown, "ROOT", tmp_path)
    monkeypatch.setattr(shown, "_digest", lambda path: path.read_text())
    file = tmp_path / "file.py"
    file.write_text("one = 1")

    def known(test="solved", word="word"):
        return shown.Shown("purification", test, file, word)

    assert not known().before
    known().keep()
    assert known().before and not known("untouched").before and not known(word="other").before
    file.write_text("one = 2")
    assert not known().before
    known().keep()
    assert len(list((tmp_path / ".viva-audit/purification").iterdir())) == 1
